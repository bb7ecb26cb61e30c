(* first: Contract(gain='linear', k=3) *)
(* second: Contract(gain='linear', k=3) *)
From NdcgLab Require Import Ndcg.

(* NDCG: the first leads *)
Definition first : list Q := [2; 2; 3]%Q.
Definition judged : list Q := [3; 2; 2; 0]%Q.
Definition second : list Q := [3; 0; 2]%Q.
Theorem comparison : ndcg_at 3 first judged > ndcg_at 3 second judged.
Proof.
  apply (greater [Above 3 (1 # 4)] (Quotient 3 first 3 judged) (Quotient 3 second 3 judged)).
  vm_cast_no_check (eq_refl true).
Qed.
