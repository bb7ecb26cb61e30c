(** Who leads in NDCG, with real logarithms.

    Part 1 says what is spoken of. Part 2 is a checker: programs on whole and rational numbers that take bounds such
    as 1/4 < 1/log2(3) and answer true or false. Part 3 proves that where they answer true the statement of part 1
    holds. Nothing but part 1, the statement in your own file and Coq itself needs to be trusted. *)

From Coq Require Export ZArith QArith Qreals Reals List.
From Coq Require Import Bool Lia Lra Permutation Sorted.
Export ListNotations.
Open Scope R_scope.

(** * 1. What is said *)

Definition log2 (x : R) : R := ln x / ln 2.

(** What a rank is worth; ranks are 1, 2, 3, ... *)
Definition discount (rank : positive) : R := 1 / log2 (IZR (Zpos rank) + 1).

(** The gains of a ranking from this rank on, each times what its rank is worth. *)
Fixpoint dcg_from (rank : positive) (gains : list Q) : R :=
  match gains with
  | [] => 0
  | gain :: rest => Q2R gain * discount rank + dcg_from (Pos.succ rank) rest
  end.

Definition dcg_at (k : nat) (gains : list Q) : R := dcg_from 1 (firstn k gains).

(** The same gains, highest first; [falling_sorts] below proves that it is so. *)
Fixpoint insert (gain : Q) (gains : list Q) : list Q :=
  match gains with
  | [] => [gain]
  | first :: rest => if Qle_bool first gain then gain :: gains else first :: insert gain rest
  end.

Definition falling (gains : list Q) : list Q := fold_right insert [] gains.

(** [gains] are those of the ranking, in its order; [judged] those of all judged documents, in any order. *)
Definition idcg_at (k : nat) (judged : list Q) : R := dcg_at k (falling judged).
Definition ndcg_at (k : nat) (gains judged : list Q) : R := dcg_at k gains / idcg_at k judged.

(** Over queries: pairs of a weight and a value. *)
Definition total (values : list (Q * R)) : R := fold_right (fun v sum => Q2R (fst v) * snd v + sum) 0 values.
Definition average (values : list (Q * R)) : R := total values / total (map (fun v => (fst v, 1)) values).

(** * 2. The checker *)

(** True where both are; the second is looked at only if it matters. *)
Notation "x &&& y" := (if x then y else false) (at level 40, left associativity).

Definition qadd (x y : Q) : Q := Qred (x + y).
Definition qmul (x y : Q) : Q := Qred (x * y).
Definition qlt (x y : Q) : bool := negb (Qle_bool y x).

(** ** Bounds on 1/log2(b) *)

(** [Above b q]: 1/log2(b) is above q. [Below b q]: it is below q. *)
Inductive bound := Above (b : positive) (q : Q) | Below (b : positive) (q : Q).

(** Powers of whole numbers as [m * 2^e], with [m] cut to some [bits]: not below the power ([up]) or not above it. *)
Definition cut (up : bool) (bits : Z) (x : Z * Z) : Z * Z :=
  let (m, e) := x in
  let s := Z.max 0 (Z.log2 m - bits) in
  ((if up then - Z.shiftr (- m) s else Z.shiftr m s)%Z, (e + s)%Z).

Definition times2 (x y : Z * Z) : Z * Z := (fst x * fst y, snd x + snd y)%Z.

Fixpoint power (up : bool) (bits : Z) (n p : positive) : Z * Z :=
  cut up bits match p with
              | xH => (Zpos n, 0%Z)
              | xO q => let x := power up bits n q in times2 x x
              | xI q => let x := power up bits n q in times2 (Zpos n, 0%Z) (times2 x x)
              end.

(** [m1 * 2^e1 < m2 * 2^e2], without computing large powers of 2. *)
Definition less2 (x y : Z * Z) : bool :=
  let (m1, e1) := x in let (m2, e2) := y in
  let d := (e2 - e1)%Z in
  if (0 <=? d)%Z then (m1 <? m2 * 2 ^ Z.min d (Z.log2 m1 + 1))%Z
  else (- d <=? Z.log2 m2)%Z &&& (m1 * 2 ^ (- d) <? m2)%Z.

(** b^p < c^q, with as many bits as it takes. *)
Definition powers_show (bits : Z) (b p c q : positive) : bool := less2 (power true bits b p) (power false bits c q).

Definition show (b p c q : positive) : bool :=
  let few := Z.max (Z.log2 (Zpos p)) (Z.log2 (Zpos q)) in
  let many := (2 * few + Z.log2 (Zpos b) + Z.log2 (Zpos c) + 64)%Z in
  if powers_show (few + 16) b p c q then true
  else if powers_show many b p c q then true else powers_show (2 * many) b p c q.

(** p/q < 1/log2(b) exactly where b^p < 2^q. *)
Definition check_bound (x : bound) : bool :=
  match x with
  | Above b (p # q) => Pos.ltb 1 b &&& match p with Zpos p => show b p 2 q | _ => true end
  | Below b (p # q) => Pos.ltb 1 b &&& match p with Zpos p => show 2 q b p | _ => false end
  end.

(** What 1/log2(b) is not below; where b > 2 it is above. That it is above 0 is known. *)
Fixpoint lower (bs : list bound) (b : positive) : option Q :=
  match bs with
  | [] => match b with 1 => None | 2 => Some 1%Q | _ => Some 0%Q end
  | Above c q :: rest => if Pos.eqb b c &&& Pos.ltb 2 b then Some q else lower rest b
  | _ :: rest => lower rest b
  end%positive.

(** What it is not above; where b > 2 it is below. That it is not above 1 is known. *)
Fixpoint upper (bs : list bound) (b : positive) : option Q :=
  match bs with
  | [] => match b with 1 => None | _ => Some 1%Q end
  | Below c q :: rest => if Pos.eqb b c &&& Pos.ltb 2 b then Some q else upper rest b
  | _ :: rest => upper rest b
  end%positive.

(** ** The sign of a sum of products of forms *)

Definition form := list (positive * Q).      (** the sum of q/log2(b) *)
Definition factor := (bool * form)%type.     (** true: below the line *)
Definition entry := (Q * list factor)%type.

(** A form with no other b than 2 is rational. *)
Definition varies (f : form) : bool := existsb (fun t => Pos.ltb 2 (fst t) && negb (Qeq_bool (snd t) 0)) f.

Definition turned (positive : bool) (q : Q) : Q := if positive then q else Qopp q.

(** What a form, or its negative, is not below; above it, where it varies. *)
Fixpoint least (bs : list bound) (way : bool) (f : form) : option Q :=
  match f with
  | [] => Some 0%Q
  | (b, q) :: rest =>
      if Qeq_bool q 0 then least bs way rest else
      let c := turned way q in
      match (if qlt 0 c then lower bs b else upper bs b), least bs way rest with
      | Some x, Some y => Some (qadd (qmul c x) y)
      | _, _ => None
      end
  end.

(** [Some true]: the form is positive, [Some false]: negative. *)
Definition shown (x : option Q) (strict : bool) : bool :=
  match x with Some q => qlt 0 q || (strict && Qle_bool 0 q) | None => false end.

Definition form_sign (bs : list bound) (f : form) : option bool :=
  if shown (least bs true f) (varies f) then Some true
  else if shown (least bs false f) (varies f) then Some false else None.

Fixpoint product_sign (bs : list bound) (fs : list factor) : option bool :=
  match fs with
  | [] => Some true
  | (_, f) :: rest => match form_sign bs f, product_sign bs rest with
                      | Some s, Some t => Some (Bool.eqb s t)
                      | _, _ => None
                      end
  end.

(** What the absolute value of a product is not above ([up]) or not below. *)
Fixpoint edge (bs : list bound) (up : bool) (fs : list factor) : option Q :=
  match fs with
  | [] => Some 1%Q
  | (below, f) :: rest =>
      match form_sign bs f, edge bs up rest with
      | Some way, Some e =>
          match (if Bool.eqb up below then least bs way f else option_map Qopp (least bs (negb way) f)) with
          | Some x => if qlt 0 x then Some (qmul e (if below then Qinv x else x)) else if up then None else Some 0%Q
          | None => if up then None else Some 0%Q
          end
      | _, _ => None
      end
  end.

(** What the sum, or its negative, is not below, and whether it is above it. *)
Fixpoint sum_least (bs : list bound) (way : bool) (es : list entry) : option (Q * bool) :=
  match es with
  | [] => Some (0%Q, false)
  | (q, fs) :: rest =>
      if Qeq_bool q 0 then None else
      match product_sign bs fs, sum_least bs way rest with
      | Some s, Some (total, strict) =>
          let c := turned (Bool.eqb way s) q in
          match edge bs (qlt c 0) fs with
          | Some e => Some (qadd (qmul c e) total, existsb (fun x => varies (snd x)) fs || strict)
          | None => None
          end
      | _, _ => None
      end
  end.

Definition has (way : bool) (bs : list bound) (es : list entry) : bool :=
  match sum_least bs way es with Some (q, strict) => shown (Some q) strict | None => false end.

(** The bounds hold, and with them the sum is positive ([way] is true) or negative. *)
Definition check (bs : list bound) (es : list entry) (way : bool) : bool := forallb check_bound bs &&& has way bs es.

(** A factor that all entries share: log2(n/d) of another base n/d above 1, or log2(e); true: below the line. *)
Inductive base := Frac (n d : positive) | E.

Definition check_scaled (bases : list (bool * base)) (bs : list bound) (es : list entry) (way : bool) : bool :=
  forallb (fun b => match snd b with Frac n d => Pos.ltb d n | E => true end) bases &&& check bs es way.

(** ** Sums that are exactly 0

    Multiplied by a common denominator such a sum is a polynomial in the 1/log2(b). Nothing is left of it, once
    identities of degree 2 are applied: from m^w = b^u d^v follows
    1/log2(b) * 1/log2(d) = (u/w) / (log2(m) log2(d)) + (v/w) / (log2(m) log2(b)). *)

Record identity := Identity { id_b : positive; id_d : positive; id_m : positive; id_u : Z; id_v : Z; id_w : Z }.

Definition check_identity (i : identity) : bool :=
  let power (n : positive) (e : Z) := (Zpos n ^ Z.max e 0)%Z in
  Pos.ltb 1 (id_b i) &&& Pos.ltb 1 (id_d i) &&& Pos.ltb 1 (id_m i) &&& negb (id_w i =? 0)%Z &&&
  (power (id_b i) (id_u i) * power (id_d i) (id_v i) * power (id_m i) (- id_w i) =?
   power (id_m i) (id_w i) * power (id_b i) (- id_u i) * power (id_d i) (- id_v i))%Z.

(** Products of 1/log2(b), by rising b, without b = 2; polynomials as search trees over them. *)
Definition mono := list positive.
Inductive tree := Leaf | Node (l : tree) (m : mono) (q : Q) (r : tree).

Fixpoint mono_insert (b : positive) (m : mono) : mono :=
  match m with
  | [] => [b]
  | c :: rest => if Pos.leb b c then b :: m else c :: mono_insert b rest
  end.

Definition mono_times (b : positive) (m : mono) : mono := if Pos.eqb b 2 then m else mono_insert b m.

Fixpoint mono_compare (m n : mono) : comparison :=
  match m, n with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | b :: r, c :: s => match Pos.compare b c with Eq => mono_compare r s | x => x end
  end.

Fixpoint tree_add (m : mono) (q : Q) (t : tree) : tree :=
  match t with
  | Leaf => Node Leaf m q Leaf
  | Node l n p r => match mono_compare m n with
                    | Eq => Node l n (qadd q p) r
                    | Lt => Node (tree_add m q l) n p r
                    | Gt => Node l n p (tree_add m q r)
                    end
  end.

Fixpoint tree_find (m : mono) (t : tree) : Q :=
  match t with
  | Leaf => 0
  | Node l n p r => match mono_compare m n with Eq => p | Lt => tree_find m l | Gt => tree_find m r end
  end.

Fixpoint tree_zero (t : tree) : bool :=
  match t with Leaf => true | Node l _ q r => Qeq_bool q 0 &&& tree_zero l &&& tree_zero r end.

(** [t + q * m * (product of fs)] *)
Fixpoint add_product (m : mono) (q : Q) (fs : list form) (t : tree) : tree :=
  match fs with
  | [] => tree_add m q t
  | f :: rest => fold_right (fun x t => add_product (mono_times (fst x) m) (qmul q (snd x)) rest t) t f
  end.

Definition pair_of (b d : positive) : mono := mono_times b (mono_times d []).
Definition fraction (u w : Z) : Q := match w with Z0 => 0 | Zpos p => u # p | Zneg p => (- u) # p end.

Definition apply_identity (t : tree) (i : identity) : tree :=
  let (b, d) := (id_b i, id_d i) in
  let q := tree_find (pair_of b d) t in
  tree_add (pair_of b d) (Qopp q)
    (tree_add (pair_of (id_m i) d) (qmul q (fraction (id_u i) (id_w i)))
      (tree_add (pair_of (id_m i) b) (qmul q (fraction (id_v i) (id_w i))) t)).

Fixpoint form_eqb (f g : form) : bool :=
  match f, g with
  | [], [] => true
  | (b, q) :: r, (c, p) :: s => Pos.eqb b c &&& Qeq_bool q p &&& form_eqb r s
  | _, _ => false
  end.

Fixpoint remove_one (f : form) (fs : list form) : option (list form) :=
  match fs with
  | [] => None
  | g :: rest => if form_eqb f g then Some rest
                 else match remove_one f rest with Some s => Some (g :: s) | None => None end
  end.

(** The factors left of a product times the common denominator. *)
Fixpoint cancel (fs : list factor) (below : list form) : option (list form) :=
  match fs with
  | [] => Some below
  | (true, f) :: rest => match remove_one f below with Some s => cancel rest s | None => None end
  | (false, f) :: rest => match cancel rest below with Some s => Some (f :: s) | None => None end
  end.

Fixpoint numerator (below : list form) (es : list entry) : option tree :=
  match es with
  | [] => Some Leaf
  | (q, fs) :: rest =>
      match cancel fs below, numerator below rest with
      | Some up, Some t => Some (add_product [] q up t)
      | _, _ => None
      end
  end.

(** The forms below an entry's line; groups of entries that have the same ones; the least that all have. *)
Definition below (e : entry) : list form := map snd (filter fst (snd e)).

Fixpoint forms_eqb (fs gs : list form) : bool :=
  match fs, gs with
  | [], [] => true
  | f :: r, g :: s => form_eqb f g &&& forms_eqb r s
  | _, _ => false
  end.

Fixpoint into_groups (e : entry) (groups : list (list form * list entry)) : list (list form * list entry) :=
  match groups with
  | [] => [(below e, [e])]
  | (fs, es) :: rest => if forms_eqb fs (below e) then (fs, e :: es) :: rest else (fs, es) :: into_groups e rest
  end.

Fixpoint without (fs gs : list form) : list form :=
  match fs with
  | [] => []
  | f :: rest => match remove_one f gs with Some gs => without rest gs | None => f :: without rest gs end
  end.

Definition common_denominator (es : list entry) : list form :=
  fold_right (fun e fs => without (below e) fs ++ fs) [] es.

Definition nonzero (bs : list bound) (f : form) : bool := match form_sign bs f with Some _ => true | None => false end.

Definition check_group (bs : list bound) (ids : list identity) (group : list form * list entry) : bool :=
  forallb (nonzero bs) (fst group) &&&
  match numerator (fst group) (snd group) with
  | Some t => tree_zero (fold_left apply_identity ids t)
  | None => false
  end.

(** [common]: all entries over one denominator; else entries with the same denominator are 0 together. *)
Definition vanishes (ids : list identity) (common : bool) (bs : list bound) (es : list entry) : bool :=
  forallb check_identity ids &&&
  forallb (check_group bs ids) (if common then [(common_denominator es, es)] else fold_right into_groups [] es).

(** The bounds show that no denominator is 0, the identities that the sum is. *)
Definition check_zero (bs : list bound) (ids : list identity) (common : bool) (es : list entry) : bool :=
  forallb check_bound bs &&& vanishes ids common bs es.

(** ** Statements of NDCG: the forms are computed here from the gains *)

(** Forms by rising b, no b a power of a smaller number, no q 0. *)
Fixpoint form_add (b : positive) (q : Q) (l : form) : form :=
  if Qeq_bool q 0 then l else
  match l with
  | [] => [(b, q)]
  | (c, r) :: rest =>
      match Pos.compare b c with
      | Lt => (b, q) :: l
      | Eq => let s := qadd q r in if Qeq_bool s 0 then rest else (b, s) :: rest
      | Gt => (c, r) :: form_add b q rest
      end
  end.

(** q * l + m *)
Definition form_sum (q : Q) (l m : form) : form :=
  fold_right (fun t sum => form_add (fst t) (qmul q (snd t)) sum) m l.

(** n = b^e, with e as large as possible; that n = b^e alone is relied on, and checked. *)
Fixpoint exponent (fuel : nat) (b n power e : positive) : option positive :=
  match fuel, Pos.compare power n with
  | _, Eq => Some e
  | S more, Lt => exponent more b n (power * b) (Pos.succ e)
  | _, _ => None
  end.

Fixpoint root_from (fuel : nat) (b n : positive) : positive * positive :=
  match fuel with
  | O => (n, 1%positive)
  | S more => if Pos.ltb n (b * b) then (n, 1%positive)
              else match exponent (Pos.to_nat (Pos.size n)) b n b 1 with
                   | Some e => (b, e)
                   | None => root_from more (Pos.succ b) n
                   end
  end.

Definition root (n : positive) : positive * positive :=
  let (b, e) := root_from (Pos.to_nat n) 2 n in
  if Pos.ltb 1 b &&& (Zpos b ^ Zpos e =? Zpos n)%Z then (b, e) else (n, 1%positive).

Fixpoint dcg_form (rank : positive) (gains : list Q) : form :=
  match gains with
  | [] => []
  | gain :: rest => let (b, e) := root (Pos.succ rank) in
                    form_add b (qmul gain (1 # e)) (dcg_form (Pos.succ rank) rest)
  end.

(** A query's value: an NDCG, the ideal with a cutoff of its own, or a number that is given. *)
Inductive value := Given (q : Q) | Quotient (k : nat) (gains : list Q) (cut : nat) (judged : list Q).

Definition quotient := (form * form)%type.   (** a numerator and a denominator *)

Definition worth (v : value) : R :=
  match v with Given q => Q2R q | Quotient k gains cut judged => dcg_at k gains / dcg_at cut (falling judged) end.

(** [q] times a value as numerator and denominator; the denominator's first coefficient is 1. *)
Definition over (q : Q) (v : value) : quotient :=
  let (d, i) := match v with
                | Given r => (form_add 2 r [], [(2%positive, 1%Q)])
                | Quotient k gains cut judged =>
                    (dcg_form 1 (firstn k gains), dcg_form 1 (firstn cut (falling judged)))
                end in
  let c := Qinv match i with [] => 0 | (_, r) :: _ => r end in
  (form_sum (qmul q c) d [], form_sum c i []).

(** The numerator of the same number over [j], where the denominators agree or the number is rational. *)
Definition onto (x : quotient) (j : form) : option form :=
  let (d, i) := x in
  if form_eqb i j then Some d
  else let t := match d with [] => 0%Q | (_, q) :: _ => q end in
       if form_eqb d (form_sum t i []) then Some (form_sum t j []) else None.

Definition term (q : Q) (d i : form) : list entry :=
  match d with [] => [] | _ => [(q, [(false, d); (true, i)])] end.

(** The difference of two numbers, as one term where it can be. *)
Definition difference (x y : quotient) : list entry :=
  match onto x (snd y), onto y (snd x) with
  | Some d, _ => term 1 (form_sum (-1) (fst y) d) (snd y)
  | _, Some d => term 1 (form_sum (-1) d (fst x)) (snd x)
  | _, _ => term 1 (fst x) (snd x) ++ term (-1) (fst y) (snd y)
  end.

Fixpoint differences (xs ys : list quotient) : list entry :=
  match xs, ys with
  | x :: xs, y :: ys => difference x y ++ differences xs ys
  | _, [] => flat_map (fun x => term 1 (fst x) (snd x)) xs
  | [], _ => flat_map (fun y => term (-1) (fst y) (snd y)) ys
  end.

Definition weight (vs : list (Q * value)) : Q := fold_right (fun v sum => qadd (fst v) sum) 0%Q vs.
Definition shares (vs : list (Q * value)) : list quotient :=
  let c := Qinv (weight vs) in map (fun v => over (qmul (fst v) c) (snd v)) vs.

(** No weights and no ideals of 0; the difference of two averages is as [shows] shows. *)
Definition check_averages (shows : list bound -> list entry -> bool) (bs : list bound) (vs ws : list (Q * value)) :=
  let (xs, ys) := (shares vs, shares ws) in
  forallb check_bound bs &&& negb (Qeq_bool (weight vs) 0) &&& negb (Qeq_bool (weight ws) 0) &&&
  forallb (fun x => nonzero bs (snd x)) (xs ++ ys) &&& shows bs (differences xs ys).


(** * 3. What the checker accepts is true *)

Lemma both (x y : bool) : x &&& y = true -> x = true /\ y = true.
Proof. now destruct x, y. Qed.

Ltac parts H := repeat (let H' := fresh H in apply both in H as [H H']).

(** ** The ranking of the ideal *)

Lemma qle_total x y : Qle_bool x y = false -> (y <= x)%Q.
Proof.
  intros H. apply Qlt_le_weak, Qnot_le_lt. intros C. apply Qle_bool_iff in C. now rewrite C in H.
Qed.

Lemma insert_permutes g l : Permutation (g :: l) (insert g l).
Proof.
  induction l as [|h r IH]; cbn; [reflexivity|]. destruct (Qle_bool h g); [reflexivity|].
  now rewrite perm_swap, IH.
Qed.

Lemma insert_sorts g l : StronglySorted (fun x y => y <= x)%Q l -> StronglySorted (fun x y => y <= x)%Q (insert g l).
Proof.
  induction 1 as [|h r H IH F]; cbn; [repeat constructor|]. destruct (Qle_bool h g) eqn:C.
  - apply Qle_bool_iff in C. repeat constructor; try assumption. revert F. apply Forall_impl. intros x Hx.
    now apply Qle_trans with h.
  - apply qle_total in C. constructor; [exact IH|]. rewrite Forall_forall in *. intros x Hx.
    apply (Permutation_in x (Permutation_sym (insert_permutes g r))) in Hx.
    destruct Hx as [<-|Hx]; [exact C | now apply F].
Qed.

Theorem falling_sorts gains :
  Permutation gains (falling gains) /\ StronglySorted (fun x y => y <= x)%Q (falling gains).
Proof.
  induction gains as [|g r [P S]]; cbn; [split; constructor|]. split; [|now apply insert_sorts].
  rewrite <- insert_permutes. now constructor.
Qed.

(** ** Rational numbers *)

Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_m1 : Q2R (-1) = -1.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_unit e : Q2R (1 # e) = / IZR (Zpos e).
Proof. unfold Q2R. simpl. apply Rmult_1_l. Qed.

Lemma Q2R_qadd x y : Q2R (qadd x y) = Q2R x + Q2R y.
Proof. unfold qadd. rewrite (Qeq_eqR _ _ (Qred_correct _)). apply Q2R_plus. Qed.

Lemma Q2R_qmul x y : Q2R (qmul x y) = Q2R x * Q2R y.
Proof. unfold qmul. rewrite (Qeq_eqR _ _ (Qred_correct _)). apply Q2R_mult. Qed.

Lemma qle_ok x y : Qle_bool x y = true -> Q2R x <= Q2R y.
Proof. intros H. now apply Qle_Rle, Qle_bool_iff. Qed.

Lemma qlt_ok x y : qlt x y = true -> Q2R x < Q2R y.
Proof.
  unfold qlt. intros H. apply Qlt_Rlt, Qnot_le_lt. intros C. apply Qle_bool_iff in C. now rewrite C in H.
Qed.

Lemma qeq_ok x y : Qeq_bool x y = true -> Q2R x = Q2R y.
Proof. intros H. now apply Qeq_eqR, Qeq_bool_eq. Qed.

Lemma qeq_0 q : Qeq_bool q 0 = true -> Q2R q = 0.
Proof. intros H. rewrite <- Q2R_0. now apply qeq_ok. Qed.

Lemma qneq_0 q : Qeq_bool q 0 = false -> Q2R q <> 0.
Proof. intros H E. apply Qeq_bool_neq in H. apply H, eqR_Qeq. now rewrite Q2R_0. Qed.

Lemma Q2R_Qinv q : Q2R q <> 0 -> Q2R (Qinv q) = / Q2R q.
Proof. intros H. apply Q2R_inv. intros E. apply H. apply Qeq_eqR in E. now rewrite E, Q2R_0. Qed.

(** ** Powers *)

Definition enclosed (up : bool) (x : Z * Z) (p : Z) : Prop :=
  (0 <= fst x)%Z /\ (0 <= snd x)%Z /\ if up then (p <= fst x * 2 ^ snd x)%Z else (fst x * 2 ^ snd x <= p)%Z.

Lemma cut_ok up bits x p : enclosed up x p -> enclosed up (cut up bits x) p.
Proof.
  destruct x as [m e]. unfold enclosed, cut. cbn [fst snd]. set (s := Z.max 0 (Z.log2 m - bits)).
  intros (Hm & He & H). assert (Hs : (0 <= s)%Z) by (unfold s; lia).
  assert (Ps : (0 < 2 ^ s)%Z) by now apply Z.pow_pos_nonneg. assert (Pe : (0 < 2 ^ e)%Z) by now apply Z.pow_pos_nonneg.
  rewrite !Z.shiftr_div_pow2, Z.pow_add_r by assumption.
  pose proof (Z.mul_div_le m _ Ps). pose proof (Z.mul_div_le (- m) _ Ps).
  pose proof (Z.div_pos m _ Hm Ps). assert (- m / 2 ^ s <= 0)%Z by (apply Z.div_le_upper_bound; nia).
  destruct up; cbn [fst snd]; repeat split; nia.
Qed.

Lemma times2_ok up x y p q : (0 <= p)%Z -> (0 <= q)%Z ->
  enclosed up x p -> enclosed up y q -> enclosed up (times2 x y) (p * q).
Proof.
  destruct x as [m e], y as [n f]. unfold enclosed, times2. cbn [fst snd]. intros Hp Hq (M & E0 & H) (N & F & G).
  rewrite Z.pow_add_r by assumption. repeat split; [nia | lia|].
  replace (m * n * (2 ^ e * 2 ^ f))%Z with ((m * 2 ^ e) * (n * 2 ^ f))%Z by ring.
  assert (0 < 2 ^ e)%Z by now apply Z.pow_pos_nonneg. assert (0 < 2 ^ f)%Z by now apply Z.pow_pos_nonneg.
  destruct up; apply Z.mul_le_mono_nonneg; nia.
Qed.

Lemma itself up (n : positive) : enclosed up (Zpos n, 0%Z) (Zpos n).
Proof. unfold enclosed. cbn [fst snd]. rewrite Z.pow_0_r. destruct up; lia. Qed.

Lemma power_ok up bits n p : enclosed up (power up bits n p) (Zpos n ^ Zpos p).
Proof.
  assert (P : forall q, (0 <= Zpos n ^ q)%Z) by (intros; now apply Z.pow_nonneg).
  induction p as [p IH|p IH|]; cbn [power]; apply cut_ok.
  - replace (Zpos n ^ Zpos p~1)%Z with (Zpos n * (Zpos n ^ Zpos p * Zpos n ^ Zpos p))%Z.
    + repeat apply times2_ok; try apply Z.mul_nonneg_nonneg; try apply P; try exact IH; [lia | apply itself].
    + rewrite <- Z.pow_add_r, <- Z.pow_succ_r by lia. f_equal. lia.
  - replace (Zpos n ^ Zpos p~0)%Z with (Zpos n ^ Zpos p * Zpos n ^ Zpos p)%Z.
    + now apply times2_ok.
    + rewrite <- Z.pow_add_r by lia. f_equal. lia.
  - rewrite Z.pow_1_r. apply itself.
Qed.

Lemma less2_ok x y p q : enclosed true x p -> enclosed false y q -> less2 x y = true -> (p < q)%Z.
Proof.
  destruct x as [m e], y as [n f]. unfold enclosed, less2. cbn [fst snd]. intros (M & E0 & H) (N & F & G) L.
  assert (0 < 2 ^ e)%Z by now apply Z.pow_pos_nonneg. assert (0 < 2 ^ f)%Z by now apply Z.pow_pos_nonneg.
  enough (m * 2 ^ e < n * 2 ^ f)%Z by lia. destruct (0 <=? f - e)%Z eqn:D.
  - apply Z.leb_le in D. apply Z.ltb_lt in L. set (d := Z.min (f - e) (Z.log2 m + 1)) in L.
    replace (2 ^ f)%Z with (2 ^ e * 2 ^ (f - e))%Z by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    assert (2 ^ d <= 2 ^ (f - e))%Z by (apply Z.pow_le_mono_r; unfold d; lia).
    assert (m < n * 2 ^ (f - e))%Z by nia. nia.
  - apply Z.leb_gt in D. apply both in L as [_ L]. apply Z.ltb_lt in L.
    replace (2 ^ e)%Z with (2 ^ f * 2 ^ (- (f - e)))%Z by (rewrite <- Z.pow_add_r by lia; f_equal; lia). nia.
Qed.

(** ** Logarithms *)

Definition y (b : positive) : R := / log2 (IZR (Zpos b)).

Lemma IZR_pos (p : positive) : 0 < IZR (Zpos p).
Proof. apply IZR_lt. lia. Qed.

Lemma ln_pos (b : positive) : (1 < b)%positive -> 0 < ln (IZR (Zpos b)).
Proof. intros H. rewrite <- ln_1. apply ln_increasing; [lra|]. apply IZR_lt. lia. Qed.

Lemma ln_pow (n : positive) (p : Z) : (0 <= p)%Z -> ln (IZR (Zpos n ^ p)) = IZR p * ln (IZR (Zpos n)).
Proof. intros H. rewrite <- (Z2Nat.id p H), <- pow_IZR, Rpower.ln_pow by apply IZR_pos. now rewrite INR_IZR_INZ. Qed.

Lemma pow_pos (n : positive) (p : Z) : (0 <= p)%Z -> 0 < IZR (Zpos n ^ p).
Proof. intros H. apply IZR_lt, Z.pow_pos_nonneg; lia. Qed.

Lemma y_ln b : y b = ln 2 / ln (IZR (Zpos b)).
Proof. apply Rinv_div. Qed.

Lemma y_2 : y 2 = 1.
Proof. rewrite y_ln. apply Rinv_r. pose proof (ln_pos 2 ltac:(lia)). lra. Qed.

Lemma y_pos b : (1 < b)%positive -> 0 < y b.
Proof. intros H. rewrite y_ln. apply Rdiv_lt_0_compat; apply ln_pos; [lia | exact H]. Qed.

Lemma show_ok b p c q : (1 < b)%positive -> (1 < c)%positive -> show b p c q = true ->
  IZR (Zpos p) * ln (IZR (Zpos b)) < IZR (Zpos q) * ln (IZR (Zpos c)).
Proof.
  intros B C H. assert (P : exists bits, powers_show bits b p c q = true).
  { unfold show in H. repeat match type of H with
      (if ?x then _ else _) = _ => destruct x eqn:X; [now eexists; exact X | clear X] end. now eexists; exact H. }
  destruct P as [bits P]. unfold powers_show in P. eapply less2_ok in P; try apply power_ok.
  apply IZR_lt, ln_increasing in P; [|now apply pow_pos]. now rewrite !ln_pow in P by lia.
Qed.

Definition bound_holds (x : bound) : Prop :=
  match x with Above b q => Q2R q < y b | Below b q => y b < Q2R q end.

Lemma quotient_lt (p q u v : R) : 0 < q -> 0 < v -> p * v < q * u -> p / q < u / v.
Proof.
  intros Hq Hv H. apply Rmult_lt_reg_r with (q * v); [nra|].
  replace (p / q * (q * v)) with (p * v) by (field; lra).
  replace (u / v * (q * v)) with (q * u) by (field; lra). exact H.
Qed.

Lemma check_bound_ok x : check_bound x = true -> bound_holds x.
Proof.
  pose proof (ln_pos 2 ltac:(lia)) as L2. destruct x as [b [p q]|b [p q]]; cbn [check_bound bound_holds]; intros H;
    apply both in H as [B H]; apply Pos.ltb_lt in B; pose proof (ln_pos b B); pose proof (IZR_pos q).
  - destruct p as [|p|p].
    + replace (Q2R (0 # q)) with 0 by (unfold Q2R; cbn; ring). now apply y_pos.
    + apply show_ok in H; try lia. rewrite y_ln. unfold Q2R. now apply quotient_lt.
    + apply Rlt_trans with 0; [|now apply y_pos]. rewrite <- Q2R_0. now apply Qlt_Rlt.
  - destruct p as [|p|p]; try discriminate. apply show_ok in H; try lia. rewrite y_ln. unfold Q2R. cbn [Qnum Qden].
    apply quotient_lt; [assumption..|]. lra.
Qed.

Definition holds (bs : list bound) : Prop := forallb check_bound bs = true.

(** Below, and strictly so where [strict]. *)
Definition under (strict : bool) (x y : R) : Prop := if strict then x < y else x <= y.

Lemma lower_ok bs b q : holds bs -> lower bs b = Some q -> under (Pos.ltb 2 b) (Q2R q) (y b) /\ 0 < y b.
Proof.
  unfold holds. induction bs as [|[c r|c r] rest IH]; cbn [lower forallb]; intros H.
  - destruct (Pos.ltb 2 b) eqn:T.
    + apply Pos.ltb_lt in T. assert (0 < y b) by (apply y_pos; lia). destruct b as [[|b|]|[|b|]|]; try lia;
        intros [= <-]; rewrite Q2R_0; split; assumption.
    + apply Pos.ltb_ge in T. destruct b as [b|[b|b|]|]; try lia; try discriminate. intros [= <-].
      rewrite Q2R_1, y_2. cbn. lra.
  - apply andb_prop in H as [Hb Hr]. destruct (Pos.eqb b c &&& Pos.ltb 2 b) eqn:C; [|now apply IH].
    apply both in C as [C T]. rewrite T. apply Pos.eqb_eq in C. subst c. intros [= <-].
    split; [now apply check_bound_ok in Hb | apply y_pos; apply Pos.ltb_lt in T; lia].
  - apply andb_prop in H as [_ H]. now apply IH.
Qed.

Lemma upper_ok bs b q : holds bs -> upper bs b = Some q -> under (Pos.ltb 2 b) (y b) (Q2R q).
Proof.
  unfold holds. induction bs as [|[c r|c r] rest IH]; cbn [upper forallb]; intros H.
  - destruct (Pos.ltb 2 b) eqn:T.
    + apply Pos.ltb_lt in T. assert (y b < 1).
      { rewrite y_ln. replace 1 with (1 / 1) by field. pose proof (ln_pos b ltac:(lia)).
        apply quotient_lt; [lra..|]. rewrite Rmult_1_r, Rmult_1_r. apply ln_increasing; [lra | apply IZR_lt; lia]. }
      destruct b as [b|b|]; try lia; intros [= <-]; now rewrite Q2R_1.
    + apply Pos.ltb_ge in T. destruct b as [b|[b|b|]|]; try lia; try discriminate. intros [= <-].
      rewrite Q2R_1, y_2. cbn. lra.
  - apply andb_prop in H as [_ H]. now apply IH.
  - apply andb_prop in H as [Hb Hr]. destruct (Pos.eqb b c &&& Pos.ltb 2 b) eqn:C; [|now apply IH].
    apply both in C as [C T]. rewrite T. apply Pos.eqb_eq in C. subst c. intros [= <-]. now apply check_bound_ok in Hb.
Qed.

(** ** Signs *)

Fixpoint form_val (f : form) : R := match f with [] => 0 | (b, q) :: r => Q2R q * y b + form_val r end.

Fixpoint product_val (fs : list factor) : R :=
  match fs with
  | [] => 1
  | (below, f) :: r => (if below then / form_val f else form_val f) * product_val r
  end.

Fixpoint sum_val (es : list entry) : R :=
  match es with [] => 0 | (q, fs) :: r => Q2R q * product_val fs + sum_val r end.

(** A number, or its negative. *)
Definition facing (way : bool) (x : R) : R := if way then x else - x.

Lemma facing_add way x z : facing way (x + z) = facing way x + facing way z.
Proof. destruct way; cbn; ring. Qed.

Lemma facing_mul s t x z : facing (Bool.eqb s t) (x * z) = facing s x * facing t z.
Proof. destruct s, t; cbn; ring. Qed.

Lemma facing_negb way x : facing (negb way) x = - facing way x.
Proof. destruct way; cbn; ring. Qed.

Lemma turned_ok way q : Q2R (turned way q) = facing way (Q2R q).
Proof. destruct way; [reflexivity | apply Q2R_opp]. Qed.

Lemma under_le s x z : under s x z -> x <= z.
Proof. destruct s; cbn; lra. Qed.

Lemma least_ok bs way f : holds bs -> forall q, least bs way f = Some q ->
  under (varies f) (Q2R q) (facing way (form_val f)).
Proof.
  intros H. induction f as [|[b q] rest IH]; cbn [least varies existsb form_val fst snd]; intros r.
  - intros [= <-]. rewrite Q2R_0. destruct way; cbn; lra.
  - fold (varies rest). destruct (Qeq_bool q 0) eqn:Z0.
    { cbn [negb]. rewrite andb_false_r. cbn [orb]. intros R. apply IH in R. apply qeq_0 in Z0.
      now rewrite Z0, Rmult_0_l, Rplus_0_l. }
    cbn [negb]. rewrite andb_true_r. apply qneq_0 in Z0. destruct (least bs way rest) as [z|].
    2: { now destruct (if qlt 0 (turned way q) then _ else _). }
    specialize (IH _ eq_refl). rewrite facing_add. destruct (qlt 0 (turned way q)) eqn:S.
    + apply qlt_ok in S. rewrite Q2R_0 in S. destruct (lower bs b) as [u|] eqn:U; [|discriminate]. intros [= <-].
      apply (lower_ok _ _ _ H) in U as [U _]. rewrite Q2R_qadd, Q2R_qmul.
      pose proof (turned_ok way q) as T. rewrite T in *.
      assert (F : facing way (Q2R q * y b) = facing way (Q2R q) * y b) by (destruct way; cbn; ring). rewrite F.
      destruct (Pos.ltb 2 b), (varies rest); cbn in *; nra.
    + assert (S' : Q2R (turned way q) < 0).
      { unfold qlt in S. apply negb_false_iff, qle_ok in S. rewrite Q2R_0 in S. rewrite turned_ok in *.
        assert (facing way (Q2R q) <> 0) by (destruct way; cbn; lra). lra. }
      destruct (upper bs b) as [u|] eqn:U; [|discriminate]. intros [= <-]. clear S.
      apply (upper_ok _ _ _ H) in U. rewrite Q2R_qadd, Q2R_qmul. pose proof (turned_ok way q) as T. rewrite T in *.
      assert (F : facing way (Q2R q * y b) = facing way (Q2R q) * y b) by (destruct way; cbn; ring). rewrite F.
      destruct (Pos.ltb 2 b), (varies rest); cbn in *; nra.
Qed.

Lemma shown_ok q strict x : under strict (Q2R q) x -> shown (Some q) strict = true -> 0 < x.
Proof.
  unfold shown. intros U S. apply orb_prop in S as [S|S].
  - apply qlt_ok in S. rewrite Q2R_0 in S. apply under_le in U. lra.
  - apply andb_prop in S as [-> S]. apply qle_ok in S. rewrite Q2R_0 in S. cbn in U. lra.
Qed.

Lemma form_sign_ok bs f s : holds bs -> form_sign bs f = Some s -> 0 < facing s (form_val f).
Proof.
  intros H. unfold form_sign.
  destruct (shown (least bs true f) (varies f)) eqn:P;
    [|destruct (shown (least bs false f) (varies f)) eqn:N; [|discriminate]]; intros [= <-].
  - destruct (least bs true f) as [q|] eqn:L; [|discriminate]. apply (least_ok _ _ _ H) in L.
    exact (shown_ok _ _ _ L P).
  - destruct (least bs false f) as [q|] eqn:L; [|discriminate]. apply (least_ok _ _ _ H) in L.
    exact (shown_ok _ _ _ L N).
Qed.

Lemma facing_inv s x : facing s (/ x) = / facing s x.
Proof. destruct s; cbn; [reflexivity | symmetry; apply Rinv_opp]. Qed.

Lemma product_sign_ok bs fs : holds bs -> forall s, product_sign bs fs = Some s -> 0 < facing s (product_val fs).
Proof.
  intros H. induction fs as [|[below f] r IH]; cbn [product_sign product_val]; intros s.
  - intros [= <-]. cbn. lra.
  - destruct (form_sign bs f) as [s1|] eqn:F; [|discriminate]. apply (form_sign_ok _ _ _ H) in F.
    destruct (product_sign bs r) as [s2|]; [|discriminate]. intros [= <-]. rewrite facing_mul.
    apply Rmult_lt_0_compat; [|now apply IH]. destruct below; [|exact F].
    rewrite facing_inv. now apply Rinv_0_lt_compat.
Qed.

Definition some_varies (fs : list factor) : bool := existsb (fun x => varies (snd x)) fs.

(** An edge below the line and above it, of x > 0 and its product with p > 0. *)
Lemma edge_step (up below s t : bool) (x p m e : R) : 0 < x -> 0 < p -> 0 < m -> 0 <= e ->
  (if Bool.eqb up below then under s m x else under s x m) ->
  (if up then under t p e else under t e p) ->
  let z := (if below then / x else x) * p in let w := e * (if below then / m else m) in
  if up then under (s || t) z w else under (s || t) w z.
Proof.
  intros X P M E0 U V. cbv zeta.
  assert (I : forall u v, 0 < u -> under s u v -> under s (/ v) (/ u)).
  { intros u v Hu. destruct s; cbn; intros K; [apply Rinv_lt_contravar; nra | apply Rinv_le_contravar; lra]. }
  assert (X' : 0 < (if below then / x else x)) by (destruct below; [now apply Rinv_0_lt_compat | exact X]).
  assert (M' : 0 < (if below then / m else m)) by (destruct below; [now apply Rinv_0_lt_compat | exact M]).
  assert (U' : if up then under s (if below then / x else x) (if below then / m else m)
               else under s (if below then / m else m) (if below then / x else x)).
  { destruct up, below; cbn [Bool.eqb] in U; auto. }
  revert U' X' M'. generalize (if below then / x else x) (if below then / m else m). intros x' m' U' X' M'.
  destruct up, s, t; cbn in *; nra.
Qed.

Lemma edge_ok bs up fs : holds bs -> forall s e, product_sign bs fs = Some s -> edge bs up fs = Some e ->
  0 <= Q2R e /\ if up then under (some_varies fs) (facing s (product_val fs)) (Q2R e)
                else under (some_varies fs) (Q2R e) (facing s (product_val fs)).
Proof.
  intros H. induction fs as [|[below f] r IH]; intros s e; cbn [product_sign edge product_val some_varies existsb snd].
  - intros [= <-] [= <-]. rewrite Q2R_1. destruct up; cbn; lra.
  - fold (some_varies r). destruct (form_sign bs f) as [way|] eqn:F; [|discriminate].
    pose proof (form_sign_ok _ _ _ H F) as W. destruct (product_sign bs r) as [t|] eqn:P; [|discriminate].
    pose proof (product_sign_ok _ _ H _ P) as T. intros [= <-]. destruct (edge bs up r) as [e'|]; [|discriminate].
    specialize (IH _ _ eq_refl eq_refl) as [E0 IH]. rewrite facing_mul.
    assert (Z0 : Q2R 0 = 0) by apply Q2R_0.
    set (z := if below then / facing way (form_val f) else facing way (form_val f)).
    replace (facing way (if below then / form_val f else form_val f)) with z
      by (unfold z; destruct below; [now rewrite facing_inv | reflexivity]).
    assert (Zpos : 0 < z) by (unfold z; destruct below; [now apply Rinv_0_lt_compat | exact W]).
    assert (Zero : (if up then None else Some 0%Q) = Some e -> 0 <= Q2R e /\
      if up then under (varies f || some_varies r) (z * facing t (product_val r)) (Q2R e)
      else under (varies f || some_varies r) (Q2R e) (z * facing t (product_val r))).
    { destruct up; [discriminate|]. intros [= <-]. rewrite Z0. split; [lra|].
      destruct (varies f || some_varies r); cbn; nra. }
    destruct (if Bool.eqb up below then _ else _) as [x|] eqn:X; [|exact Zero].
    destruct (qlt 0 x) eqn:Px; [|exact Zero]. intros [= <-]. apply qlt_ok in Px. rewrite Z0 in Px.
    assert (U : if Bool.eqb up below then under (varies f) (Q2R x) (facing way (form_val f))
                else under (varies f) (facing way (form_val f)) (Q2R x)).
    { destruct (Bool.eqb up below); [now apply (least_ok bs)|].
      destruct (least bs (negb way) f) as [l|] eqn:L; [|discriminate]. injection X as <-.
      apply (least_ok _ _ _ H) in L. rewrite facing_negb in L. rewrite Q2R_opp. destruct (varies f); cbn in *; lra. }
    rewrite Q2R_qmul. replace (Q2R (if below then Qinv x else x)) with (if below then / Q2R x else Q2R x)
      by (destruct below; [rewrite Q2R_Qinv; [reflexivity | lra] | reflexivity]).
    split; [|now apply (edge_step up below _ _ _ _ _ _ W T Px E0 U)].
    apply Rmult_le_pos; [exact E0|]. destruct below; [left; now apply Rinv_0_lt_compat | lra].
Qed.

Lemma sum_least_ok bs way es : holds bs -> forall q strict, sum_least bs way es = Some (q, strict) ->
  under strict (Q2R q) (facing way (sum_val es)).
Proof.
  intros H. induction es as [|[q fs] r IH]; cbn [sum_least sum_val]; intros total strict.
  - intros [= <- <-]. rewrite Q2R_0. destruct way; cbn; lra.
  - destruct (Qeq_bool q 0) eqn:Z0; [discriminate|]. apply qneq_0 in Z0. rewrite facing_add.
    destruct (product_sign bs fs) as [s|] eqn:P; [|discriminate].
    destruct (sum_least bs way r) as [[t' strict']|]; [|discriminate]. specialize (IH _ _ eq_refl).
    destruct (edge bs (qlt (turned (Bool.eqb way s) q) 0) fs) as [e|] eqn:Ed; [|discriminate]. intros [= <- <-].
    apply (edge_ok _ _ _ H _ _ P) in Ed as [E0 Ed]. fold (some_varies fs). rewrite Q2R_qadd, Q2R_qmul.
    assert (F : facing way (Q2R q * product_val fs) = Q2R (turned (Bool.eqb way s) q) * facing s (product_val fs)).
    { rewrite turned_ok. destruct way, s; cbn; ring. }
    rewrite F.
    assert (N : Q2R (turned (Bool.eqb way s) q) <> 0) by (rewrite turned_ok; destruct (Bool.eqb way s); cbn; lra).
    destruct (qlt (turned (Bool.eqb way s) q) 0) eqn:S.
    + apply qlt_ok in S. rewrite Q2R_0 in S. destruct (some_varies fs), strict'; cbn in *; nra.
    + unfold qlt in S. apply negb_false_iff, qle_ok in S. rewrite Q2R_0 in S.
      destruct (some_varies fs), strict'; cbn in *; nra.
Qed.

Lemma has_ok way bs es : holds bs -> has way bs es = true -> 0 < facing way (sum_val es).
Proof.
  intros H. unfold has. destruct (sum_least bs way es) as [[q strict]|] eqn:S; [|discriminate].
  apply (sum_least_ok _ _ _ H) in S. intros P. exact (shown_ok _ _ _ S P).
Qed.

(** The sign of any sum of products of forms. *)
Theorem check_sound bs es way : check bs es way = true -> if way then sum_val es > 0 else sum_val es < 0.
Proof. intros H. apply both in H as [B H]. apply (has_ok _ _ _ B) in H. destruct way; cbn in H; lra. Qed.

Definition base_val (b : base) : R :=
  match b with Frac n d => log2 (IZR (Zpos n) / IZR (Zpos d)) | E => log2 (exp 1) end.

Fixpoint scale (bases : list (bool * base)) : R :=
  match bases with [] => 1 | (below, b) :: r => (if below then / base_val b else base_val b) * scale r end.

Theorem check_scaled_sound bases bs es way : check_scaled bases bs es way = true ->
  if way then scale bases * sum_val es > 0 else scale bases * sum_val es < 0.
Proof.
  intros H. apply both in H as [B H]. apply check_sound in H. enough (0 < scale bases) by (destruct way; nra). clear H.
  assert (L : 0 < ln 2) by exact (ln_pos 2 ltac:(lia)).
  induction bases as [|[below b] r IH]; cbn [scale forallb snd] in *; [lra|]. apply andb_prop in B as [Hb B].
  apply Rmult_lt_0_compat; [|now apply IH].
  enough (0 < base_val b) by (destruct below; [now apply Rinv_0_lt_compat | assumption]).
  destruct b as [n d|]; cbn [base_val]; unfold log2; apply Rdiv_lt_0_compat; try exact L; [|rewrite ln_exp; lra].
  apply Pos.ltb_lt in Hb. pose proof (IZR_pos d) as D. rewrite <- ln_1. apply ln_increasing; [lra|].
  assert (IZR (Zpos d) < IZR (Zpos n)) by (apply IZR_lt; lia). apply Rmult_lt_reg_r with (IZR (Zpos d)); [exact D|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** ** Sums that are exactly 0 *)

Fixpoint mono_val (m : mono) : R := match m with [] => 1 | b :: r => y b * mono_val r end.
Fixpoint forms_val (fs : list form) : R := match fs with [] => 1 | f :: r => form_val f * forms_val r end.
Fixpoint tree_val (t : tree) : R :=
  match t with Leaf => 0 | Node l m q r => tree_val l + Q2R q * mono_val m + tree_val r end.

Lemma mono_times_ok b m : mono_val (mono_times b m) = y b * mono_val m.
Proof.
  unfold mono_times. destruct (Pos.eqb b 2) eqn:B; [apply Pos.eqb_eq in B; subst b; rewrite y_2; ring|].
  induction m as [|c r IH]; [reflexivity|]. cbn [mono_insert].
  destruct (Pos.leb b c); [reflexivity|]. cbn [mono_val]. rewrite IH. ring.
Qed.

Lemma mono_compare_ok m : forall n, mono_compare m n = Eq -> m = n.
Proof.
  induction m as [|b r IH]; destruct n as [|c s]; try discriminate; [reflexivity|]. cbn [mono_compare].
  destruct (Pos.compare b c) eqn:C; try discriminate. intros H. apply Pos.compare_eq in C. now rewrite C, (IH _ H).
Qed.

Lemma tree_add_ok m q t : tree_val (tree_add m q t) = tree_val t + Q2R q * mono_val m.
Proof.
  induction t as [|l IHl n p r IHr]; cbn [tree_add tree_val]; [ring|].
  destruct (mono_compare m n) eqn:C; cbn [tree_val]; [|rewrite IHl; ring | rewrite IHr; ring].
  apply mono_compare_ok in C. subst. rewrite Q2R_qadd. ring.
Qed.

Lemma tree_zero_ok t : tree_zero t = true -> tree_val t = 0.
Proof.
  induction t as [|l IHl m q r IHr]; cbn [tree_zero tree_val]; [reflexivity|]. intros H. parts H.
  apply qeq_0 in H. rewrite (IHl H1), (IHr H0), H. ring.
Qed.

Lemma add_product_ok fs : forall m q t,
  tree_val (add_product m q fs t) = tree_val t + Q2R q * mono_val m * forms_val fs.
Proof.
  induction fs as [|f rest IH]; intros m q t; cbn [add_product forms_val].
  - rewrite tree_add_ok. ring.
  - induction f as [|[b c] more IHf]; cbn [fold_right form_val fst snd]; [ring|].
    rewrite IH, IHf, Q2R_qmul, mono_times_ok. ring.
Qed.

Lemma form_eqb_ok f : forall g, form_eqb f g = true -> form_val f = form_val g.
Proof.
  induction f as [|[b q] r IH]; destruct g as [|[c p] s]; try discriminate; [reflexivity|]. cbn [form_eqb form_val].
  intros H. parts H. apply Pos.eqb_eq in H. apply qeq_ok in H1. now rewrite H, H1, (IH _ H0).
Qed.

Lemma remove_one_ok f fs : forall s, remove_one f fs = Some s -> forms_val fs = form_val f * forms_val s.
Proof.
  induction fs as [|g r IH]; cbn [remove_one forms_val]; intros s; [discriminate|].
  destruct (form_eqb f g) eqn:F; [apply form_eqb_ok in F; intros [= <-]; now rewrite F|].
  destruct (remove_one f r) as [s'|]; [|discriminate]. intros [= <-]. rewrite (IH _ eq_refl). cbn [forms_val]. ring.
Qed.

Lemma cancel_ok fs : forall below up, forms_val below <> 0 -> cancel fs below = Some up ->
  product_val fs * forms_val below = forms_val up.
Proof.
  induction fs as [|[[|] f] r IH]; cbn [cancel product_val]; intros below up H.
  - intros [= <-]. ring.
  - destruct (remove_one f below) as [s|] eqn:F; [|discriminate]. intros C. apply remove_one_ok in F. rewrite F in *.
    assert (form_val f <> 0 /\ forms_val s <> 0) as [N1 N2] by (split; intros N; apply H; rewrite N; ring).
    rewrite <- (IH _ _ N2 C). field. exact N1.
  - destruct (cancel r below) as [s|] eqn:C; [|discriminate]. intros [= <-].
    cbn [forms_val]. rewrite <- (IH _ _ H C). ring.
Qed.

Lemma numerator_ok fs es : forms_val fs <> 0 -> forall t, numerator fs es = Some t ->
  tree_val t = sum_val es * forms_val fs.
Proof.
  intros H. induction es as [|[q gs] r IH]; cbn [numerator sum_val]; intros t.
  - intros [= <-]. cbn. ring.
  - destruct (cancel gs fs) as [up|] eqn:C; [|discriminate]. destruct (numerator fs r) as [t'|]; [|discriminate].
    intros [= <-]. rewrite add_product_ok, (IH _ eq_refl), <- (cancel_ok _ _ _ H C). cbn [mono_val]. ring.
Qed.

Lemma fraction_ok u w : w <> 0%Z -> Q2R (fraction u w) = IZR u / IZR w.
Proof.
  intros H. destruct w as [|p|p]; [easy | reflexivity|]. unfold fraction, Q2R. cbn [Qnum Qden].
  change (Zneg p) with (- Zpos p)%Z. rewrite !opp_IZR. field. apply IZR_neq. lia.
Qed.

Lemma identity_ok i : check_identity i = true ->
  y (id_b i) * y (id_d i) =
  Q2R (fraction (id_u i) (id_w i)) * (y (id_m i) * y (id_d i)) +
  Q2R (fraction (id_v i) (id_w i)) * (y (id_m i) * y (id_b i)).
Proof.
  destruct i as [b d m u v w]. unfold check_identity. cbn [id_b id_d id_m id_u id_v id_w]. intros H. parts H.
  apply Z.eqb_eq in H0. apply Pos.ltb_lt in H, H2, H3. assert (Hw : w <> 0%Z) by (intros ->; discriminate).
  assert (D : forall e, IZR (Z.max e 0) - IZR (Z.max (- e) 0) = IZR e).
  { intros e. rewrite <- minus_IZR. f_equal. lia. }
  apply (f_equal IZR) in H0. rewrite !mult_IZR in H0. apply (f_equal ln) in H0.
  rewrite !ln_mult in H0 by (repeat apply Rmult_lt_0_compat; apply pow_pos; lia).
  rewrite !ln_pow in H0 by lia. rewrite !fraction_ok, !y_ln by exact Hw.
  pose proof (ln_pos b H). pose proof (ln_pos d H3). pose proof (ln_pos m H2).
  pose proof (D u) as Du. pose proof (D v) as Dv. pose proof (D w) as Dw.
  set (lb := ln (IZR (Zpos b))) in *. set (ld := ln (IZR (Zpos d))) in *. set (lm := ln (IZR (Zpos m))) in *.
  assert (E0 : IZR w * lm = IZR u * lb + IZR v * ld) by (rewrite <- Du, <- Dv, <- Dw; lra).
  assert (Hwr : IZR w <> 0) by now apply IZR_neq.
  replace (IZR u) with ((IZR w * lm - IZR v * ld) / lb) by (rewrite E0; field; lra).
  field. repeat split; lra.
Qed.

Lemma apply_identities_ok ids : forallb check_identity ids = true -> forall t,
  tree_val (fold_left apply_identity ids t) = tree_val t.
Proof.
  induction ids as [|i r IH]; cbn [forallb fold_left]; intros H t; [reflexivity|].
  apply andb_prop in H as [H1 H2]. rewrite (IH H2). apply identity_ok in H1. unfold apply_identity, pair_of.
  rewrite !tree_add_ok, !mono_times_ok, !Q2R_qmul, Q2R_opp. cbn [mono_val]. rewrite !Rmult_1_r, H1. ring.
Qed.

Lemma nonzero_ok bs f : holds bs -> nonzero bs f = true -> form_val f <> 0.
Proof.
  unfold nonzero. intros H. destruct (form_sign bs f) as [s|] eqn:S; [|discriminate]. intros _.
  apply (form_sign_ok _ _ _ H) in S. destruct s; cbn in S; lra.
Qed.

Lemma all_nonzero_ok bs fs : holds bs -> forallb (nonzero bs) fs = true -> forms_val fs <> 0.
Proof.
  intros H. induction fs as [|f r IH]; cbn [forallb forms_val]; [lra|]. intros N. apply andb_prop in N as [N1 N2].
  apply Rmult_integral_contrapositive_currified; [now apply (nonzero_ok bs) | now apply IH].
Qed.

Lemma check_group_ok bs ids group : holds bs -> forallb check_identity ids = true ->
  check_group bs ids group = true -> sum_val (snd group) = 0.
Proof.
  intros B I H. apply both in H as [N H]. apply (all_nonzero_ok _ _ B) in N.
  destruct (numerator (fst group) (snd group)) as [t|] eqn:T; [|discriminate].
  apply (numerator_ok _ _ N) in T. apply tree_zero_ok in H. rewrite (apply_identities_ok _ I), T in H.
  apply Rmult_integral in H as [H|H]; [exact H | easy].
Qed.

Definition groups_val (groups : list (list form * list entry)) : R :=
  fold_right (fun g sum => sum_val (snd g) + sum) 0 groups.

Lemma into_groups_ok e groups : groups_val (into_groups e groups) = sum_val [e] + groups_val groups.
Proof.
  destruct e as [q fs]. induction groups as [|[below es] r IH]; [reflexivity|]. cbn [into_groups].
  destruct (forms_eqb below _); unfold groups_val in *; cbn [fold_right snd sum_val] in *; [|rewrite IH]; ring.
Qed.

Lemma vanishes_ok ids common bs es : holds bs -> vanishes ids common bs es = true -> sum_val es = 0.
Proof.
  intros B H. apply both in H as [I H].
  assert (G : sum_val es = groups_val (if common then [(common_denominator es, es)] else fold_right into_groups [] es)).
  { destruct common; [unfold groups_val; cbn [fold_right snd]; ring|]. clear.
    induction es as [|[q fs] r IH]; [reflexivity|].
    cbn [fold_right]. rewrite into_groups_ok. cbn [sum_val]. rewrite IH. ring. }
  rewrite G. revert H. generalize (if common then [(common_denominator es, es)] else fold_right into_groups [] es).
  clear G.
  induction l as [|g r IH]; [reflexivity|]. cbn [forallb]. intros H. apply andb_prop in H as [H1 H2].
  unfold groups_val in *. cbn [fold_right]. rewrite (check_group_ok _ _ _ B I H1), (IH H2). ring.
Qed.

(** Any sum of products of forms that is exactly 0. *)
Theorem check_zero_sound bs ids common es : check_zero bs ids common es = true -> sum_val es = 0.
Proof. intros H. apply both in H as [B H]. now apply (vanishes_ok ids common bs). Qed.

Theorem check_zero_scaled_sound bases bs ids common es : check_zero bs ids common es = true ->
  scale bases * sum_val es = 0.
Proof. intros H. rewrite (check_zero_sound _ _ _ _ H). ring. Qed.

(** ** Statements of NDCG *)

Definition quotient_val (x : quotient) : R := form_val (fst x) / form_val (snd x).

Lemma form_add_ok b q l : form_val (form_add b q l) = Q2R q * y b + form_val l.
Proof.
  induction l as [|[c r] t IH]; cbn [form_add];
    (destruct (Qeq_bool q 0) eqn:Z0; [apply qeq_0 in Z0; rewrite Z0; ring|]).
  - reflexivity.
  - destruct (Pos.compare b c) eqn:C.
    + apply Pos.compare_eq in C. subst c. cbn [form_val]. pose proof (Q2R_qadd q r) as S.
      destruct (Qeq_bool (qadd q r) 0) eqn:Z1; [apply qeq_0 in Z1; rewrite Z1 in S | cbn [form_val]; rewrite S]; nra.
    + reflexivity.
    + cbn [form_val]. rewrite IH. ring.
Qed.

Lemma form_sum_ok q l m : form_val (form_sum q l m) = Q2R q * form_val l + form_val m.
Proof.
  induction l as [|[b r] t IH]; cbn [form_sum fold_right].
  - cbn [form_val]. ring.
  - cbn [fst snd form_val]. rewrite form_add_ok, Q2R_qmul. unfold form_sum in IH. rewrite IH. ring.
Qed.

Lemma root_ok n : (1 < n)%positive -> let (b, e) := root n in y n = y b / IZR (Zpos e).
Proof.
  intros Hn. unfold root. destruct (root_from (Pos.to_nat n) 2 n) as [b e].
  destruct (Pos.ltb 1 b &&& (Zpos b ^ Zpos e =? Zpos n)%Z) eqn:H; [|field].
  apply both in H as [B H]. apply Z.eqb_eq in H. apply Pos.ltb_lt in B. rewrite !y_ln, <- H, ln_pow by lia.
  field. split; [|apply IZR_neq; lia]. pose proof (ln_pos b B). lra.
Qed.

Lemma discount_ok rank : discount rank = y (Pos.succ rank).
Proof.
  unfold discount, log2. rewrite y_ln, <- plus_IZR. replace (Zpos rank + 1)%Z with (Zpos (Pos.succ rank)) by lia.
  pose proof (ln_pos (Pos.succ rank) ltac:(lia)). pose proof (ln_pos 2 ltac:(lia)). field. split; lra.
Qed.

Lemma dcg_form_ok gains : forall rank, form_val (dcg_form rank gains) = dcg_from rank gains.
Proof.
  induction gains as [|g r IH]; intros rank; cbn [dcg_form dcg_from]; [reflexivity|].
  pose proof (root_ok (Pos.succ rank) ltac:(lia)) as H. destruct (root (Pos.succ rank)) as [b e].
  rewrite form_add_ok, IH, Q2R_qmul, Q2R_unit, discount_ok, H. field. apply IZR_neq. lia.
Qed.

Lemma over_ok q v : form_val (snd (over q v)) <> 0 -> quotient_val (over q v) = Q2R q * worth v.
Proof.
  unfold over, quotient_val. intros H.
  assert (G : forall d i c, form_val (form_sum (Qinv c) i []) <> 0 ->
              form_val (form_sum (qmul q (Qinv c)) d []) / form_val (form_sum (Qinv c) i []) =
              Q2R q * (form_val d / form_val i)).
  { intros d i c N. rewrite !form_sum_ok, Q2R_qmul in *. cbn [form_val] in *. field.
    split; intros Z0; apply N; rewrite Z0; ring. }
  destruct v as [r|k gains cut judged]; cbn [fst snd worth] in *; rewrite G by exact H.
  - rewrite form_add_ok. cbn [form_val]. rewrite y_2, Q2R_1. field.
  - unfold dcg_at. now rewrite !dcg_form_ok.
Qed.

Lemma onto_ok x j d : form_val (snd x) <> 0 -> form_val j <> 0 -> onto x j = Some d ->
  quotient_val x = form_val d / form_val j.
Proof.
  destruct x as [e i]. unfold onto, quotient_val. cbn [fst snd]. intros I J.
  destruct (form_eqb i j) eqn:C; [apply form_eqb_ok in C; intros [= <-]; now rewrite C|]. clear C.
  set (t := match e with [] => 0%Q | (_, q) :: _ => q end). clearbody t.
  destruct (form_eqb e (form_sum t i [])) eqn:C; [|discriminate]. intros [= <-].
  apply form_eqb_ok in C. rewrite C, !form_sum_ok. cbn [form_val]. field. now split.
Qed.

Lemma term_ok q d i : sum_val (term q d i) = Q2R q * quotient_val (d, i).
Proof.
  unfold quotient_val. cbn [fst snd]. destruct d as [|t d]; unfold term.
  - cbn [sum_val form_val]. unfold Rdiv. ring.
  - cbn [sum_val product_val]. unfold Rdiv. ring.
Qed.

Lemma sum_app es fs : sum_val (es ++ fs) = sum_val es + sum_val fs.
Proof. induction es as [|[q f] r IH]; cbn [sum_val app]; [ring|]. rewrite IH. ring. Qed.

Lemma difference_ok x y : form_val (snd x) <> 0 -> form_val (snd y) <> 0 ->
  sum_val (difference x y) = quotient_val x - quotient_val y.
Proof.
  intros X Y. unfold difference. destruct (onto x (snd y)) as [d|] eqn:O; [|destruct (onto y (snd x)) as [d|] eqn:P].
  - apply onto_ok in O; try assumption. rewrite term_ok, O. unfold quotient_val. cbn [fst snd].
    rewrite form_sum_ok, Q2R_1, Q2R_m1. field. exact Y.
  - apply onto_ok in P; try assumption. rewrite term_ok, P. unfold quotient_val. cbn [fst snd].
    rewrite form_sum_ok, Q2R_1, Q2R_m1. field. exact X.
  - rewrite sum_app, !term_ok, Q2R_1, Q2R_m1, <- !surjective_pairing. ring.
Qed.

Definition quotients_val (xs : list quotient) : R := fold_right (fun x sum => quotient_val x + sum) 0 xs.

Lemma differences_ok xs ys : (forall x, In x (xs ++ ys) -> form_val (snd x) <> 0) ->
  sum_val (differences xs ys) = quotients_val xs - quotients_val ys.
Proof.
  revert ys. induction xs as [|x xs IH]; intros ys H.
  - cbn [differences quotients_val fold_right]. destruct ys as [|y ys]; [cbn; ring|]. clear H. generalize (y :: ys).
    induction l as [|z l IH]; cbn [flat_map quotients_val fold_right]; [cbn; ring|].
    rewrite sum_app, IH, term_ok, <- surjective_pairing, Q2R_m1. unfold quotients_val. ring.
  - destruct ys as [|y ys].
    + cbn [differences]. clear. generalize (x :: xs). induction l as [|z l IH]; cbn [flat_map]; [cbn; ring|].
      rewrite sum_app, IH, term_ok, <- surjective_pairing, Q2R_1. unfold quotients_val. cbn [fold_right]. ring.
    + cbn [differences]. rewrite sum_app, difference_ok, IH.
      * unfold quotients_val. cbn [fold_right]. ring.
      * intros z Z0. apply H. rewrite in_app_iff in *. cbn. tauto.
      * apply H. now left.
      * apply H. rewrite in_app_iff. right. now left.
Qed.

Definition worths (vs : list (Q * value)) : list (Q * R) := map (fun v => (fst v, worth (snd v))) vs.

Lemma shares_ok vs : Q2R (weight vs) <> 0 -> (forall x, In x (shares vs) -> form_val (snd x) <> 0) ->
  quotients_val (shares vs) = average (worths vs).
Proof.
  unfold shares, average. intros W.
  assert (T : total (map (fun v => (fst v, 1)) (worths vs)) = Q2R (weight vs)).
  { clear W. induction vs as [|[q v] r IH]; [symmetry; apply Q2R_0|].
    unfold total, worths, weight in *. cbn [map fold_right fst snd] in *. rewrite Q2R_qadd, IH. ring. }
  rewrite T. unfold Rdiv. rewrite <- (Q2R_Qinv _ W). generalize (Qinv (weight vs)). clear. intros c.
  induction vs as [|[q v] r IH]; intros H; [cbn; ring|]. cbn [map worths total quotients_val fold_right fst snd] in *.
  rewrite over_ok, Q2R_qmul by (apply H; now left). unfold quotients_val, total, worths in IH.
  rewrite IH by (intros x X; apply H; now right). ring.
Qed.

Lemma check_averages_ok shows bs vs ws : check_averages shows bs vs ws = true ->
  exists es, holds bs /\ shows bs es = true /\ sum_val es = average (worths vs) - average (worths ws).
Proof.
  unfold check_averages. intros H. parts H. exists (differences (shares vs) (shares ws)).
  split; [exact H|]. split; [exact H0|]. rewrite forallb_forall in H1.
  assert (N : forall x, In x (shares vs ++ shares ws) -> form_val (snd x) <> 0).
  { intros x X. apply (nonzero_ok bs); [exact H|]. now apply H1. }
  assert (Z0 : forall q, negb (Qeq_bool q 0) = true -> Q2R q <> 0).
  { intros q Q. apply qneq_0. now destruct (Qeq_bool q 0). }
  rewrite differences_ok by exact N. rewrite !shares_ok; auto; intros x X; apply N, in_or_app; auto.
Qed.

(** *** The theorems that a file of statements uses *)

Theorem average_greater bs vs ws : check_averages (has true) bs vs ws = true ->
  average (worths vs) > average (worths ws).
Proof. intros H. apply check_averages_ok in H as (es & B & H & S). apply (has_ok true _ _ B) in H. cbn in H. lra. Qed.

Theorem average_less bs vs ws : check_averages (has false) bs vs ws = true ->
  average (worths vs) < average (worths ws).
Proof. intros H. apply check_averages_ok in H as (es & B & H & S). apply (has_ok false _ _ B) in H. cbn in H. lra. Qed.

Theorem average_equal ids common bs vs ws : check_averages (vanishes ids common) bs vs ws = true ->
  average (worths vs) = average (worths ws).
Proof. intros H. apply check_averages_ok in H as (es & B & H & S). apply (vanishes_ok _ _ _ _ B) in H. lra. Qed.

Definition alone (v : value) : list (Q * value) := [(1%Q, v)].

Lemma alone_ok v : average (worths (alone v)) = worth v.
Proof. unfold average, total. cbn. rewrite Q2R_1. field. Qed.

Theorem greater bs v w : check_averages (has true) bs (alone v) (alone w) = true -> worth v > worth w.
Proof. intros H. apply average_greater in H. now rewrite !alone_ok in H. Qed.

Theorem less bs v w : check_averages (has false) bs (alone v) (alone w) = true -> worth v < worth w.
Proof. intros H. apply average_less in H. now rewrite !alone_ok in H. Qed.

Theorem equal ids common bs v w : check_averages (vanishes ids common) bs (alone v) (alone w) = true ->
  worth v = worth w.
Proof. intros H. apply average_equal in H. now rewrite !alone_ok in H. Qed.

(** Under a logarithm of another base every rank is worth c times as much, for one c; NDCG stays as it is. *)
Theorem any_base c k gains judged : c <> 0 -> c * dcg_at k gains / (c * idcg_at k judged) = ndcg_at k gains judged.
Proof.
  intros H. unfold ndcg_at, Rdiv. rewrite Rinv_mult.
  transitivity (c * / c * (dcg_at k gains * / idcg_at k judged)); [ring|]. rewrite Rinv_r by exact H. ring.
Qed.
