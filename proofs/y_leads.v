(* first: Contract(gain='exponential', k=3) *)
(* second: Contract(gain='exponential', k=3) *)
From NdcgLab Require Import Ndcg.

(* NDCG: the second leads *)
Definition first : list Q := [3; 3; 7]%Q.
Definition judged : list Q := [7; 3; 3; 0]%Q.
Definition second : list Q := [7; 0; 3]%Q.
Theorem comparison : ndcg_at 3 first judged < ndcg_at 3 second judged.
Proof.
  apply (less [Below 3 (2 # 3)] (Quotient 3 first 3 judged) (Quotient 3 second 3 judged)).
  vm_cast_no_check (eq_refl true).
Qed.
