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
Definition qmin (x y : Q) : Q := if Qle_bool x y then x else y.
Definition qmax (x y : Q) : Q := if Qle_bool x y then y else x.

(** ** Names of numbers, and bounds on them *)

(** [Y b] is 1/log2(b), [L n d] is log2(n/d), [LE] is log2(e): each a quotient of two natural logarithms. *)
Inductive name := Y (b : positive) | L (n d : positive) | LE.
Inductive number := Frac (n d : positive) | E.

Definition top (x : name) := match x with Y _ => Frac 2 1 | L n d => Frac n d | LE => E end.
Definition bottom (x : name) := match x with Y b => Frac b 1 | _ => Frac 2 1 end.

Definition name_eqb (x y : name) : bool :=
  match x, y with
  | Y b, Y c => Pos.eqb b c
  | L n d, L m c => Pos.eqb n m &&& Pos.eqb d c
  | LE, LE => true
  | _, _ => false
  end.

(** Powers of whole numbers as [m * 2^e], with [m] cut to some [bits]: not below the power where [up], else not above. *)
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

(** [n], [d], [t] such that t ln(n/d) is the logarithm, or a little above ([up]) or below it: (1 + 1/N)^N < e. *)
Definition as_power (up : bool) (bits : Z) (x : number) : positive * positive * positive :=
  match x with
  | Frac n d => (n, d, 1%positive)
  | E => let N := Z.to_pos (2 ^ (bits / 2)) in if up then (N, Pos.pred N, N) else (Pos.succ N, N, N)
  end.

(** p ln(x) < q ln(y), because n^p * d'^q < n'^q * d^p for x = n/d and y = n'/d'. *)
Definition powers_show (bits : Z) (p : positive) (x : number) (q : positive) (y : number) : bool :=
  let '(n1, d1, t1) := as_power true bits x in
  let '(n2, d2, t2) := as_power false bits y in
  let p := (p * t1)%positive in let q := (q * t2)%positive in
  Pos.ltb d1 n1 &&& Pos.ltb d2 n2 &&&
  less2 (times2 (power true bits n1 p) (power true bits d2 q)) (times2 (power false bits n2 q) (power false bits d1 p)).

Definition size (x : number) : Z := match x with Frac n d => Z.log2 (Zpos n) + Z.log2 (Zpos d) | E => 0 end.

(** The same for positive logarithms, with as many bits as it takes. *)
Definition show (p : Z) (x : number) (q : Z) (y : number) : bool :=
  match q, p with
  | Zpos b, Zpos a => let few := Z.max (Z.log2 p) (Z.log2 q) in
                      let many := (2 * (few + size x + size y) + 64)%Z in
                      if powers_show (few + 16) a x b y then true
                      else if powers_show many a x b y then true else powers_show (2 * many) a x b y
  | Zpos _, _ => true
  | _, _ => false
  end.

Definition positive_log (x : number) : bool := match x with Frac n d => Pos.ltb d n | E => true end.
Definition well_named (x : name) : bool := positive_log (top x) &&& positive_log (bottom x).

(** [lower < of_name < upper]: p/q < ln(x)/ln(y) exactly where p ln(y) < q ln(x). *)
Record bound := Bound { of_name : name; lower : Q; upper : Q }.

Definition check_bound (b : bound) : bool :=
  let (x, y) := (top (of_name b), bottom (of_name b)) in
  well_named (of_name b) &&& show (Qnum (lower b)) y (Zpos (Qden (lower b))) x
                         &&& show (Zpos (Qden (upper b))) x (Qnum (upper b)) y.

(** Lower and upper end, and whether both are strict. Without a bound 0 < 1/log2(b) < 1 is used, for b > 2. *)
Fixpoint lookup (bs : list bound) (x : name) : option (Q * Q * bool) :=
  match bs with
  | [] => match x with
          | Y 2 => Some (1, 1, false)%Q
          | Y 1 => None
          | Y _ => Some (0, 1, true)%Q
          | _ => None
          end
  | b :: rest => if name_eqb (of_name b) x then Some (lower b, upper b, true) else lookup rest x
  end.

(** ** The sign of a sum of products of forms *)

Definition form := list (name * Q).          (** the sum of q * name *)
Definition factor := (bool * form)%type.     (** true: below the line *)
Definition entry := (Q * list factor)%type.

(** Intervals that hold a form, a product, a sum. *)
Fixpoint ends (bs : list bound) (f : form) : option (Q * Q * bool) :=
  match f with
  | [] => Some (0, 0, false)%Q
  | (x, q) :: rest =>
      match lookup bs x, ends bs rest with
      | Some (l, u, s), Some (a, b, t) =>
          if Qeq_bool q 0 then Some (a, b, t)
          else if Qle_bool 0 q then Some (qadd (qmul q l) a, qadd (qmul q u) b, s || t)
          else Some (qadd (qmul q u) a, qadd (qmul q l) b, s || t)
      | _, _ => None
      end
  end.

Definition times (i j : Q * Q) : Q * Q :=
  let (a, b) := i in let (c, d) := j in
  let (ac, ad) := (qmul a c, qmul a d) in let (bc, bd) := (qmul b c, qmul b d) in
  (qmin (qmin ac ad) (qmin bc bd), qmax (qmax ac ad) (qmax bc bd)).

Definition inverse (i : Q * Q) : option (Q * Q) :=
  let (a, b) := i in if qlt 0 a || qlt b 0 then Some (Qinv b, Qinv a) else None.

Fixpoint product_ends (bs : list bound) (i : Q * Q) (fs : list factor) : option (Q * Q) :=
  match fs with
  | [] => Some i
  | (below, f) :: rest =>
      match ends bs f with
      | Some (a, b, _) => match (if below then inverse (a, b) else Some (a, b)) with
                          | Some j => product_ends bs (times i j) rest
                          | None => None
                          end
      | None => None
      end
  end.

Fixpoint sum_ends (bs : list bound) (es : list entry) : option (Q * Q) :=
  match es with
  | [] => Some (0, 0)%Q
  | (q, fs) :: rest =>
      match product_ends bs (q, q) fs, sum_ends bs rest with
      | Some (a, b), Some (c, d) => Some (qadd a c, qadd b d)
      | _, _ => None
      end
  end.

(** Signs: [Some true] is positive, [Some false] negative. An open interval may reach 0. *)
Definition sign_of (a b : Q) (open : bool) : option bool :=
  if qlt 0 a || (open && Qle_bool 0 a) then Some true
  else if qlt b 0 || (open && Qle_bool b 0) then Some false else None.

Definition form_sign (bs : list bound) (f : form) : option bool :=
  match f with
  | [(x, q)] => if well_named x then sign_of q q false else None
  | _ => match ends bs f with Some (a, b, open) => sign_of a b open | None => None end
  end.

Fixpoint product_sign (bs : list bound) (q : Q) (fs : list factor) : option bool :=
  match fs with
  | [] => sign_of q q false
  | (_, f) :: rest => match form_sign bs f, product_sign bs q rest with
                      | Some s, Some t => Some (Bool.eqb s t)
                      | _, _ => None
                      end
  end.

Definition sum_sign (bs : list bound) (es : list entry) : option bool :=
  match es with
  | [(q, fs)] => product_sign bs q fs
  | _ => match sum_ends bs es with Some (a, b) => sign_of a b false | None => None end
  end.

Definition has (sign : bool) (bs : list bound) (es : list entry) : bool :=
  match sum_sign bs es with Some s => Bool.eqb s sign | None => false end.

(** The bounds hold, and with them the sum is positive ([sign] is true) or negative. *)
Definition check (bs : list bound) (es : list entry) (sign : bool) : bool :=
  forallb check_bound bs &&& has sign bs es.

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

(** [t + q * m * (product of fs)]; None where a form is of other names than [Y]. *)
Fixpoint add_product (m : mono) (q : Q) (fs : list form) (t : tree) : option tree :=
  match fs with
  | [] => Some (tree_add m q t)
  | f :: rest => (fix terms (f : form) :=
                    match f with
                    | [] => Some t
                    | (Y b, c) :: more => match terms more with
                                          | Some t => add_product (mono_times b m) (qmul q c) rest t
                                          | None => None
                                          end
                    | _ => None
                    end) f
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
  | (x, q) :: r, (y, p) :: s => name_eqb x y &&& Qeq_bool q p &&& form_eqb r s
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
      | Some up, Some t => add_product [] q up t
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

Definition least (es : list entry) : list form :=
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
  forallb (check_group bs ids) (if common then [(least es, es)] else fold_right into_groups [] es).

(** The bounds show that no denominator is 0, the identities that the sum is. *)
Definition check_zero (bs : list bound) (ids : list identity) (common : bool) (es : list entry) : bool :=
  forallb check_bound bs &&& vanishes ids common bs es.

(** ** Statements of NDCG: the forms are computed here from the gains *)

(** Sums of q/log2(b), by rising b, no b a power, no q 0. *)
Definition linear := list (positive * Q).

Definition to_form (l : linear) : form := map (fun t => (Y (fst t), snd t)) l.

Fixpoint linear_add (b : positive) (q : Q) (l : linear) : linear :=
  if Qeq_bool q 0 then l else
  match l with
  | [] => [(b, q)]
  | (c, r) :: rest =>
      match Pos.compare b c with
      | Lt => (b, q) :: l
      | Eq => let s := qadd q r in if Qeq_bool s 0 then rest else (b, s) :: rest
      | Gt => (c, r) :: linear_add b q rest
      end
  end.

(** q * l + m *)
Definition linear_sum (q : Q) (l m : linear) : linear :=
  fold_right (fun t sum => linear_add (fst t) (qmul q (snd t)) sum) m l.

Fixpoint linear_eqb (l m : linear) : bool :=
  match l, m with
  | [], [] => true
  | (b, q) :: r, (c, p) :: s => Pos.eqb b c &&& Qeq_bool q p &&& linear_eqb r s
  | _, _ => false
  end.

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

Fixpoint dcg_form (rank : positive) (gains : list Q) : linear :=
  match gains with
  | [] => []
  | gain :: rest => let (b, e) := root (Pos.succ rank) in
                    linear_add b (qmul gain (1 # e)) (dcg_form (Pos.succ rank) rest)
  end.

(** A query's value: an NDCG, the ideal with a cutoff of its own, or a number that is given. *)
Inductive value := Given (q : Q) | Quotient (k : nat) (gains : list Q) (cut : nat) (judged : list Q).

Definition worth (v : value) : R :=
  match v with Given q => Q2R q | Quotient k gains cut judged => dcg_at k gains / dcg_at cut (falling judged) end.

(** [q] times a value as numerator and denominator; the denominator's first coefficient is 1. *)
Definition over (q : Q) (v : value) : linear * linear :=
  let (d, i) := match v with
                | Given r => (linear_add 2 r [], [(2%positive, 1%Q)])
                | Quotient k gains cut judged =>
                    (dcg_form 1 (firstn k gains), dcg_form 1 (firstn cut (falling judged)))
                end in
  let c := Qinv match i with [] => 0 | (_, r) :: _ => r end in
  (linear_sum (qmul q c) d [], linear_sum c i []).

(** The numerator of the same number over the denominator [j], where the denominators agree or the number is rational. *)
Definition onto (x : linear * linear) (j : linear) : option linear :=
  let (d, i) := x in
  if linear_eqb i j then Some d
  else let t := match d with [] => 0%Q | (_, q) :: _ => q end in
       if linear_eqb d (linear_sum t i []) then Some (linear_sum t j []) else None.

Definition term (q : Q) (d i : linear) : list entry :=
  match d with [] => [] | _ => [(q, [(false, to_form d); (true, to_form i)])] end.

(** The difference of two numbers, as one term where it can be. *)
Definition difference (x y : linear * linear) : list entry :=
  match onto x (snd y), onto y (snd x) with
  | Some d, _ => term 1 (linear_sum (-1) (fst y) d) (snd y)
  | _, Some d => term 1 (linear_sum (-1) d (fst x)) (snd x)
  | _, _ => term 1 (fst x) (snd x) ++ term (-1) (fst y) (snd y)
  end.

Fixpoint differences (xs ys : list (linear * linear)) : list entry :=
  match xs, ys with
  | x :: xs, y :: ys => difference x y ++ differences xs ys
  | _, [] => flat_map (fun x => term 1 (fst x) (snd x)) xs
  | [], _ => flat_map (fun y => term (-1) (fst y) (snd y)) ys
  end.

Definition weight (vs : list (Q * value)) : Q := fold_right (fun v sum => qadd (fst v) sum) 0%Q vs.
Definition shares (vs : list (Q * value)) : list (linear * linear) :=
  let c := Qinv (weight vs) in map (fun v => over (qmul (fst v) c) (snd v)) vs.

(** No weights and no ideals of 0; the difference of two averages is as [shows] shows. *)
Definition check_averages (shows : list bound -> list entry -> bool) (bs : list bound) (vs ws : list (Q * value)) :=
  let (xs, ys) := (shares vs, shares ws) in
  forallb check_bound bs &&& negb (Qeq_bool (weight vs) 0) &&& negb (Qeq_bool (weight ws) 0) &&&
  forallb (fun x => nonzero bs (to_form (snd x))) (xs ++ ys) &&& shows bs (differences xs ys).

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
    apply (Permutation_in x (Permutation_sym (insert_permutes g r))) in Hx. destruct Hx as [<-|Hx]; [exact C | now apply F].
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

Lemma qle_false x y : Qle_bool x y = false -> Q2R y < Q2R x.
Proof. intros H. apply qlt_ok. unfold qlt. now rewrite H. Qed.

Lemma qeq_ok x y : Qeq_bool x y = true -> Q2R x = Q2R y.
Proof. intros H. now apply Qeq_eqR, Qeq_bool_eq. Qed.

Lemma qeq_0 q : Qeq_bool q 0 = true -> Q2R q = 0.
Proof. intros H. rewrite <- Q2R_0. now apply qeq_ok. Qed.

Lemma qneq_0 q : Qeq_bool q 0 = false -> Q2R q <> 0.
Proof. intros H E. apply Qeq_bool_neq in H. apply H, eqR_Qeq. now rewrite Q2R_0. Qed.

Lemma Q2R_Qinv q : Q2R q <> 0 -> Q2R (Qinv q) = / Q2R q.
Proof. intros H. apply Q2R_inv. intros E. apply H. apply Qeq_eqR in E. now rewrite E, Q2R_0. Qed.

Lemma qmin_ok x y : Q2R (qmin x y) <= Q2R x /\ Q2R (qmin x y) <= Q2R y.
Proof. unfold qmin. destruct (Qle_bool x y) eqn:H; [apply qle_ok in H | apply qle_false in H]; lra. Qed.

Lemma qmax_ok x y : Q2R x <= Q2R (qmax x y) /\ Q2R y <= Q2R (qmax x y).
Proof. unfold qmax. destruct (Qle_bool x y) eqn:H; [apply qle_ok in H | apply qle_false in H]; lra. Qed.

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

Definition log_of (x : number) : R := match x with Frac n d => ln (IZR (Zpos n) / IZR (Zpos d)) | E => 1 end.
Definition val (x : name) : R := log_of (top x) / log_of (bottom x).

Lemma IZR_pos (p : positive) : 0 < IZR (Zpos p).
Proof. apply IZR_lt. lia. Qed.

Lemma ln_div (x y : R) : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof. intros. unfold Rdiv. rewrite ln_mult, ln_Rinv; try lra. now apply Rinv_0_lt_compat. Qed.

Lemma ln_pos (b : positive) : (1 < b)%positive -> 0 < ln (IZR (Zpos b)).
Proof. intros H. rewrite <- ln_1. apply ln_increasing; [lra|]. apply IZR_lt. lia. Qed.

Lemma ln_pow (n : positive) (p : Z) : (0 <= p)%Z -> ln (IZR (Zpos n ^ p)) = IZR p * ln (IZR (Zpos n)).
Proof. intros H. rewrite <- (Z2Nat.id p H), <- pow_IZR, Rpower.ln_pow by apply IZR_pos. now rewrite INR_IZR_INZ. Qed.

Lemma pow_pos (n : positive) (p : Z) : (0 <= p)%Z -> 0 < IZR (Zpos n ^ p).
Proof. intros H. apply IZR_lt, Z.pow_pos_nonneg; lia. Qed.

(** ln(1 + 1/N) < 1/N < ln(1 + 1/(N-1)) *)
Lemma ln_near_1 (n : R) : 1 < n -> n * ln ((n + 1) / n) <= 1 <= n * ln (n / (n - 1)).
Proof.
  intros H. assert (I : 0 < / n) by (apply Rinv_0_lt_compat; lra). assert (J : n * / n = 1) by (apply Rinv_r; lra).
  assert (K : / n < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (G : forall x, x <> 0 -> 0 < 1 + x -> ln (1 + x) <= x).
  { intros x Hx Hp. rewrite <- (ln_exp x) at 2. left. apply ln_increasing; [exact Hp | now apply exp_ineq1]. }
  split.
  - replace ((n + 1) / n) with (1 + / n) by (field; lra). pose proof (G (/ n) ltac:(lra) ltac:(lra)). nra.
  - replace (n / (n - 1)) with (/ (1 + - / n)) by (field; lra).
    pose proof (G (- / n) ltac:(lra) ltac:(lra)). rewrite ln_Rinv by lra. nra.
Qed.

Lemma as_power_ok up bits x : let '(n, d, t) := as_power up bits x in (d < n)%positive ->
  let l := IZR (Zpos t) * ln (IZR (Zpos n) / IZR (Zpos d)) in if up then log_of x <= l else l <= log_of x.
Proof.
  destruct x as [n d|]; cbn [as_power log_of]; [destruct up; lra|]. set (N := Z.to_pos _).
  destruct up; intros H.
  - assert (H1 : 1 < IZR (Zpos N)) by (apply IZR_lt; lia). apply ln_near_1 in H1 as [_ H1].
    replace (IZR (Zpos (Pos.pred N))) with (IZR (Zpos N) - 1); [exact H1|]. rewrite <- minus_IZR. f_equal. lia.
  - replace (IZR (Zpos (Pos.succ N))) with (IZR (Zpos N) + 1) by (rewrite <- plus_IZR; f_equal; lia).
    destruct (Pos.eq_dec N 1) as [->|N1]; [|apply ln_near_1, IZR_lt; lia].
    replace ((1 + 1) / 1) with (1 + 1) by field. rewrite Rmult_1_l. apply Rle_trans with (ln (exp 1)).
    2: rewrite ln_exp; lra.
    left.
    apply ln_increasing; [lra|]. apply exp_ineq1. lra.
Qed.

Lemma powers_show_ok bits p x q y : powers_show bits p x q y = true ->
  IZR (Zpos p) * log_of x < IZR (Zpos q) * log_of y.
Proof.
  unfold powers_show. pose proof (as_power_ok true bits x) as X. pose proof (as_power_ok false bits y) as Y.
  destruct (as_power true bits x) as [[n1 d1] t1], (as_power false bits y) as [[n2 d2] t2].
  intros H. parts H. apply Pos.ltb_lt in H, H1. specialize (X H). specialize (Y H1). cbv zeta in X, Y.
  assert (P : forall n e, (0 <= Zpos n ^ Zpos e)%Z) by (intros; apply Z.pow_nonneg; lia).
  apply (less2_ok _ _ (Zpos n1 ^ Zpos (p * t1) * Zpos d2 ^ Zpos (q * t2)) (Zpos n2 ^ Zpos (q * t2) * Zpos d1 ^ Zpos (p * t1)))
    in H0; try (apply times2_ok; apply P || apply power_ok).
  apply IZR_lt in H0. rewrite !mult_IZR in H0.
  apply ln_increasing in H0; [|apply Rmult_lt_0_compat; now apply pow_pos].
  rewrite !ln_mult, !ln_pow, !Pos2Z.inj_mul, !mult_IZR in H0 by (lia || now apply pow_pos).
  rewrite ln_div in X, Y by apply IZR_pos. pose proof (IZR_pos p). pose proof (IZR_pos q). nra.
Qed.

Lemma show_ok p x q y : 0 < log_of x -> 0 < log_of y -> show p x q y = true ->
  (0 < q)%Z /\ IZR p * log_of x < IZR q * log_of y.
Proof.
  intros X Y H. destruct q as [|b|]; try discriminate. split; [lia|]. pose proof (IZR_pos b) as B.
  destruct p as [|a|a]; cbn [show] in H.
  - nra.
  - repeat match type of H with (if ?c then _ else _) = _ => destruct c eqn:C; [now apply powers_show_ok in C | clear C] end.
    now apply powers_show_ok in H.
  - assert (IZR (Zneg a) < 0) by (apply IZR_lt; lia). nra.
Qed.

Lemma well_named_ok x : well_named x = true -> 0 < log_of (top x) /\ 0 < log_of (bottom x).
Proof.
  assert (G : forall x, positive_log x = true -> 0 < log_of x).
  { intros [n d|]; cbn; [|lra]. intros H. apply Pos.ltb_lt in H. rewrite ln_div by apply IZR_pos.
    enough (ln (IZR (Zpos d)) < ln (IZR (Zpos n))) by lra. apply ln_increasing; [apply IZR_pos | apply IZR_lt; lia]. }
  intros H. apply both in H as [H1 H2]. split; now apply G.
Qed.

Lemma quotient_lt (p q x y : R) : 0 < q -> 0 < y -> p * y < q * x -> p / q < x / y.
Proof.
  intros Hq Hy H. apply Rmult_lt_reg_r with (q * y); [nra|].
  replace (p / q * (q * y)) with (p * y) by (field; lra). replace (x / y * (q * y)) with (q * x) by (field; lra). exact H.
Qed.

Lemma check_bound_ok b : check_bound b = true -> Q2R (lower b) < val (of_name b) < Q2R (upper b).
Proof.
  unfold check_bound. intros H. apply both in H as [H H1]. apply both in H as [H H0]. apply well_named_ok in H as [T B].
  apply show_ok in H0 as [U H0]; [|assumption..]. apply show_ok in H1 as [_ H1]; [|assumption..].
  pose proof (IZR_pos (Qden (lower b))). pose proof (IZR_pos (Qden (upper b))). apply IZR_lt in U.
  unfold val, Q2R. split; [now apply quotient_lt|]. apply quotient_lt; lra.
Qed.

Lemma val_Y b : val (Y b) = ln 2 / ln (IZR (Zpos b)).
Proof. unfold val, Rdiv. cbn [top bottom log_of]. unfold Rdiv. now rewrite Rinv_1, !Rmult_1_r. Qed.

Lemma val_2 : val (Y 2) = 1.
Proof. rewrite val_Y. apply Rinv_r. pose proof (ln_pos 2 ltac:(lia)). lra. Qed.

Lemma name_eqb_ok x y : name_eqb x y = true -> x = y.
Proof.
  destruct x, y; cbn; try discriminate; intros H; try reflexivity.
  - apply Pos.eqb_eq in H. now subst.
  - apply both in H as [H1 H2]. apply Pos.eqb_eq in H1, H2. now subst.
Qed.

Definition within (l u : Q) (open : bool) (x : R) : Prop :=
  if open then Q2R l < x < Q2R u else Q2R l <= x <= Q2R u.

Definition holds (bs : list bound) : Prop := forallb check_bound bs = true.

Lemma default_ok b : (2 < b)%positive -> within 0 1 true (val (Y b)).
Proof.
  intros H. unfold within. rewrite val_Y, Q2R_0, Q2R_1. pose proof (ln_pos 2 ltac:(lia)). pose proof (ln_pos b ltac:(lia)).
  assert (ln 2 < ln (IZR (Zpos b))) by (apply ln_increasing; [lra | apply IZR_lt; lia]).
  split; [now apply Rdiv_lt_0_compat|]. apply Rmult_lt_reg_r with (ln (IZR (Zpos b))); [assumption|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma lookup_ok bs x l u s : holds bs -> lookup bs x = Some (l, u, s) -> within l u s (val x).
Proof.
  unfold holds. induction bs as [|b r IH]; cbn [lookup forallb]; intros H.
  - assert (D : forall c, (2 < c)%positive -> Some (0%Q, 1%Q, true) = Some (l, u, s) -> within l u s (val (Y c))).
    { intros c Hc [= <- <- <-]. now apply default_ok. }
    destruct x as [[p|p|]| |]; try discriminate; [apply D; lia|].
    destruct p; try (apply D; lia). intros [= <- <- <-]. unfold within. rewrite Q2R_1, val_2. lra.
  - apply andb_prop in H as [Hb Hr]. destruct (name_eqb (of_name b) x) eqn:N; [|now apply IH].
    intros [= <- <- <-]. apply name_eqb_ok in N. subst x. now apply check_bound_ok.
Qed.

(** ** Signs *)

Fixpoint form_val (f : form) : R := match f with [] => 0 | (x, q) :: r => Q2R q * val x + form_val r end.

Fixpoint product_val (fs : list factor) : R :=
  match fs with
  | [] => 1
  | (below, f) :: r => (if below then / form_val f else form_val f) * product_val r
  end.

Fixpoint sum_val (es : list entry) : R :=
  match es with [] => 0 | (q, fs) :: r => Q2R q * product_val fs + sum_val r end.

Definition has_sign (sign : bool) (x : R) : Prop := if sign then 0 < x else x < 0.

Lemma ends_ok bs f : holds bs -> forall a b s, ends bs f = Some (a, b, s) -> within a b s (form_val f).
Proof.
  intros H. induction f as [|[x q] r IH]; cbn [ends form_val]; intros a b s.
  - intros [= <- <- <-]. unfold within. rewrite Q2R_0. lra.
  - destruct (lookup bs x) as [[[l u] s1]|] eqn:L; [|discriminate].
    destruct (ends bs r) as [[[c d] s2]|]; [|discriminate].
    apply (lookup_ok _ _ _ _ _ H) in L. specialize (IH _ _ _ eq_refl).
    destruct (Qeq_bool q 0) eqn:Z0.
    { apply qeq_0 in Z0. intros [= <- <- <-]. rewrite Z0, Rmult_0_l, Rplus_0_l. exact IH. }
    apply qneq_0 in Z0.
    destruct (Qle_bool 0 q) eqn:S; [apply qle_ok in S | apply qle_false in S]; rewrite Q2R_0 in S;
      intros [= <- <- <-]; unfold within in *; rewrite !Q2R_qadd, !Q2R_qmul; destruct s1, s2; cbn [orb]; nra.
Qed.

Lemma sign_of_ok a b open x s : within a b open x -> sign_of a b open = Some s -> has_sign s x.
Proof.
  unfold sign_of. intros H. destruct (qlt 0 a || (open && Qle_bool 0 a)) eqn:C.
  - intros [= <-]. cbn. apply orb_prop in C as [C|C].
    + apply qlt_ok in C. rewrite Q2R_0 in C. destruct open; cbn in H; lra.
    + apply andb_prop in C as [-> C]. apply qle_ok in C. rewrite Q2R_0 in C. cbn in H; lra.
  - clear C. destruct (qlt b 0 || (open && Qle_bool b 0)) eqn:C; [|discriminate]. intros [= <-]. cbn.
    apply orb_prop in C as [C|C].
    + apply qlt_ok in C. rewrite Q2R_0 in C. destruct open; cbn in H; lra.
    + apply andb_prop in C as [-> C]. apply qle_ok in C. rewrite Q2R_0 in C. cbn in H; lra.
Qed.

Lemma sign_of_q q s : sign_of q q false = Some s -> has_sign s (Q2R q).
Proof. apply sign_of_ok. cbn. lra. Qed.

Lemma has_sign_mul s t x y : has_sign s x -> has_sign t y -> has_sign (Bool.eqb s t) (x * y).
Proof. destruct s, t; cbn; nra. Qed.

Lemma form_sign_ok bs f s : holds bs -> form_sign bs f = Some s -> has_sign s (form_val f).
Proof.
  intros H.
  assert (G : match ends bs f with Some (a, b, open) => sign_of a b open | None => None end = Some s ->
              has_sign s (form_val f)).
  { destruct (ends bs f) as [[[a b] open]|] eqn:D; [|discriminate]. apply (ends_ok _ _ H) in D. now apply sign_of_ok. }
  unfold form_sign. destruct f as [|[x q] [|t r]]; [exact G| |exact G].
  destruct (well_named x) eqn:W; [|discriminate]. apply well_named_ok in W as [T B]. intros S. apply sign_of_q in S.
  cbn [form_val]. rewrite Rplus_0_r. assert (0 < val x) by now apply Rdiv_lt_0_compat. destruct s; cbn in *; nra.
Qed.

Lemma product_sign_ok bs q fs : holds bs -> forall s, product_sign bs q fs = Some s -> has_sign s (Q2R q * product_val fs).
Proof.
  intros H. induction fs as [|[below f] r IH]; cbn [product_sign product_val]; intros s.
  - rewrite Rmult_1_r. apply sign_of_q.
  - destruct (form_sign bs f) as [s1|] eqn:F; [|discriminate]. apply (form_sign_ok _ _ _ H) in F.
    destruct (product_sign bs q r) as [s2|]; [|discriminate]. intros [= <-].
    replace (Q2R q * _) with ((if below then / form_val f else form_val f) * (Q2R q * product_val r)) by ring.
    apply has_sign_mul; [|now apply IH]. destruct below; [|exact F].
    destruct s1; cbn in *; [now apply Rinv_0_lt_compat | now apply Rinv_lt_0_compat].
Qed.

Definition between (i : Q * Q) (x : R) : Prop := Q2R (fst i) <= x <= Q2R (snd i).

Lemma corner m a b c d x y : a <= x <= b -> c <= y <= d ->
  m <= a * c -> m <= a * d -> m <= b * c -> m <= b * d -> m <= x * y.
Proof. intros. destruct (Rle_dec 0 x), (Rle_dec 0 y), (Rle_dec 0 a), (Rle_dec 0 c), (Rle_dec 0 b), (Rle_dec 0 d); nra. Qed.

Lemma times_ok i j x y : between i x -> between j y -> between (times i j) (x * y).
Proof.
  destruct i as [a b], j as [c d]. unfold between. cbn [fst snd times]. intros H1 H2.
  destruct (qmin_ok (qmul a c) (qmul a d)), (qmin_ok (qmul b c) (qmul b d)),
    (qmin_ok (qmin (qmul a c) (qmul a d)) (qmin (qmul b c) (qmul b d))),
    (qmax_ok (qmul a c) (qmul a d)), (qmax_ok (qmul b c) (qmul b d)),
    (qmax_ok (qmax (qmul a c) (qmul a d)) (qmax (qmul b c) (qmul b d))).
  rewrite !Q2R_qmul in *. split.
  - apply (corner _ (Q2R a) (Q2R b) (Q2R c) (Q2R d)); lra.
  - enough (- Q2R (qmax (qmax (qmul a c) (qmul a d)) (qmax (qmul b c) (qmul b d))) <= (- x) * y) by lra.
    apply (corner _ (- Q2R b) (- Q2R a) (Q2R c) (Q2R d)); lra.
Qed.

Lemma inverse_ok i j x : inverse i = Some j -> between i x -> between j (/ x).
Proof.
  destruct i as [a b]. unfold inverse, between. cbn [fst snd]. intros H Hx.
  destruct (qlt 0 a || qlt b 0) eqn:C; [|discriminate]. injection H as <-. cbn [fst snd].
  apply orb_prop in C as [C|C]; apply qlt_ok in C; rewrite Q2R_0 in C; rewrite !Q2R_Qinv by lra.
  - split; apply Rinv_le_contravar; lra.
  - split; apply Ropp_le_cancel; rewrite <- !Rinv_opp; apply Rinv_le_contravar; lra.
Qed.

Lemma product_ends_ok bs fs : holds bs -> forall i j c, product_ends bs i fs = Some j -> between i c ->
  between j (c * product_val fs).
Proof.
  intros H. induction fs as [|[below f] r IH]; cbn [product_ends product_val]; intros i j c.
  - intros [= <-]. now rewrite Rmult_1_r.
  - destruct (ends bs f) as [[[a b] s]|] eqn:D; [|discriminate]. apply (ends_ok _ _ H) in D.
    assert (F : between (a, b) (form_val f)) by (unfold between; destruct s; cbn in *; lra).
    intros J C. rewrite <- Rmult_assoc. destruct below.
    + destruct (inverse (a, b)) as [k|] eqn:I; [|discriminate].
      apply (IH _ _ _ J), times_ok; [exact C|]. now apply (inverse_ok _ _ _ I).
    + now apply (IH _ _ _ J), times_ok.
Qed.

Lemma sum_ends_ok bs es : holds bs -> forall i, sum_ends bs es = Some i -> between i (sum_val es).
Proof.
  intros H. induction es as [|[q fs] r IH]; cbn [sum_ends sum_val]; intros i.
  - intros [= <-]. unfold between. cbn. rewrite Q2R_0. lra.
  - destruct (product_ends bs (q, q) fs) as [[a b]|] eqn:P; [|discriminate].
    destruct (sum_ends bs r) as [[c d]|]; [|discriminate]. intros [= <-].
    apply (product_ends_ok _ _ H _ _ (Q2R q)) in P; [|unfold between; cbn; lra].
    specialize (IH _ eq_refl). unfold between in *. cbn [fst snd] in *. rewrite !Q2R_qadd. lra.
Qed.

Lemma has_ok sign bs es : holds bs -> has sign bs es = true -> has_sign sign (sum_val es).
Proof.
  intros H. unfold has. destruct (sum_sign bs es) as [s|] eqn:S; [|discriminate]. intros B. apply eqb_prop in B. subst s.
  assert (G : match sum_ends bs es with Some (a, b) => sign_of a b false | None => None end = Some sign ->
              has_sign sign (sum_val es)).
  { destruct (sum_ends bs es) as [[a b]|] eqn:D; [|discriminate]. apply (sum_ends_ok _ _ H) in D. now apply sign_of_ok. }
  unfold sum_sign in S. destruct es as [|[q fs] [|e r]]; [now apply G| |now apply G].
  cbn [sum_val]. rewrite Rplus_0_r. now apply (product_sign_ok bs).
Qed.

(** The sign of any sum of products of forms. *)
Theorem check_sound bs es sign : check bs es sign = true -> has_sign sign (sum_val es).
Proof. intros H. apply both in H as [B H]. now apply (has_ok _ bs). Qed.

(** ** Sums that are exactly 0 *)

Fixpoint mono_val (m : mono) : R := match m with [] => 1 | b :: r => val (Y b) * mono_val r end.
Fixpoint forms_val (fs : list form) : R := match fs with [] => 1 | f :: r => form_val f * forms_val r end.
Fixpoint tree_val (t : tree) : R :=
  match t with Leaf => 0 | Node l m q r => tree_val l + Q2R q * mono_val m + tree_val r end.

Lemma mono_times_ok b m : mono_val (mono_times b m) = val (Y b) * mono_val m.
Proof.
  unfold mono_times. destruct (Pos.eqb b 2) eqn:B; [apply Pos.eqb_eq in B; subst b; rewrite val_2; ring|].
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

Lemma add_product_ok fs : forall m q t t', add_product m q fs t = Some t' ->
  tree_val t' = tree_val t + Q2R q * mono_val m * forms_val fs.
Proof.
  induction fs as [|f rest IH]; intros m q t t'; cbn [add_product forms_val].
  - intros [= <-]. rewrite tree_add_ok. ring.
  - revert t'. induction f as [|[[b| |] c] more IHf]; intros t'; cbn [form_val]; try discriminate.
    + intros [= <-]. ring.
    + match goal with |- match ?x with _ => _ end = _ -> _ => destruct x as [t1|]; [|discriminate] end.
      specialize (IHf _ eq_refl). intros H. apply IH in H. rewrite H, IHf, Q2R_qmul, mono_times_ok. ring.
Qed.

Lemma form_eqb_ok f : forall g, form_eqb f g = true -> form_val f = form_val g.
Proof.
  induction f as [|[x q] r IH]; destruct g as [|[z p] s]; try discriminate; [reflexivity|]. cbn [form_eqb form_val].
  intros H. parts H. apply name_eqb_ok in H. apply qeq_ok in H1. now rewrite H, H1, (IH _ H0).
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
    intros P. apply add_product_ok in P. rewrite P, (IH _ eq_refl), <- (cancel_ok _ _ _ H C). cbn [mono_val]. ring.
Qed.

Lemma fraction_ok u w : w <> 0%Z -> Q2R (fraction u w) = IZR u / IZR w.
Proof.
  intros H. destruct w as [|p|p]; [easy | reflexivity|]. unfold fraction, Q2R. cbn [Qnum Qden].
  change (Zneg p) with (- Zpos p)%Z. rewrite !opp_IZR. field. apply IZR_neq. lia.
Qed.

Lemma identity_ok i : check_identity i = true ->
  val (Y (id_b i)) * val (Y (id_d i)) =
  Q2R (fraction (id_u i) (id_w i)) * (val (Y (id_m i)) * val (Y (id_d i))) +
  Q2R (fraction (id_v i) (id_w i)) * (val (Y (id_m i)) * val (Y (id_b i))).
Proof.
  destruct i as [b d m u v w]. unfold check_identity. cbn [id_b id_d id_m id_u id_v id_w]. intros H. parts H.
  apply Z.eqb_eq in H0. apply Pos.ltb_lt in H, H2, H3. assert (Hw : w <> 0%Z) by (intros ->; discriminate).
  assert (D : forall e, IZR (Z.max e 0) - IZR (Z.max (- e) 0) = IZR e).
  { intros e. rewrite <- minus_IZR. f_equal. lia. }
  apply (f_equal IZR) in H0. rewrite !mult_IZR in H0. apply (f_equal ln) in H0.
  rewrite !ln_mult in H0 by (repeat apply Rmult_lt_0_compat; apply pow_pos; lia).
  rewrite !ln_pow in H0 by lia. rewrite !fraction_ok, !val_Y by exact Hw.
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
  assert (G : sum_val es = groups_val (if common then [(least es, es)] else fold_right into_groups [] es)).
  { destruct common; [unfold groups_val; cbn [fold_right snd]; ring|]. clear. induction es as [|[q fs] r IH]; [reflexivity|].
    cbn [fold_right]. rewrite into_groups_ok. cbn [sum_val]. rewrite IH. ring. }
  rewrite G. revert H. generalize (if common then [(least es, es)] else fold_right into_groups [] es). clear G.
  induction l as [|g r IH]; [reflexivity|]. cbn [forallb]. intros H. apply andb_prop in H as [H1 H2].
  unfold groups_val in *. cbn [fold_right]. rewrite (check_group_ok _ _ _ B I H1), (IH H2). ring.
Qed.

(** Any sum of products of forms that is exactly 0. *)
Theorem check_zero_sound bs ids common es : check_zero bs ids common es = true -> sum_val es = 0.
Proof. intros H. apply both in H as [B H]. now apply (vanishes_ok ids common bs). Qed.

(** ** Statements of NDCG *)

Definition linear_val (l : linear) : R := form_val (to_form l).
Definition quotient_val (x : linear * linear) : R := linear_val (fst x) / linear_val (snd x).

Lemma linear_cons b q l : linear_val ((b, q) :: l) = Q2R q * val (Y b) + linear_val l.
Proof. reflexivity. Qed.

Lemma linear_nil : linear_val [] = 0.
Proof. reflexivity. Qed.

Lemma linear_add_ok b q l : linear_val (linear_add b q l) = Q2R q * val (Y b) + linear_val l.
Proof.
  induction l as [|[c r] t IH]; cbn [linear_add]; (destruct (Qeq_bool q 0) eqn:Z0; [apply qeq_0 in Z0; rewrite Z0; ring|]).
  - reflexivity.
  - destruct (Pos.compare b c) eqn:C.
    + apply Pos.compare_eq in C. subst c. rewrite linear_cons. pose proof (Q2R_qadd q r) as S.
      destruct (Qeq_bool (qadd q r) 0) eqn:Z1; [apply qeq_0 in Z1; rewrite Z1 in S | rewrite linear_cons, S]; nra.
    + reflexivity.
    + rewrite !linear_cons, IH. ring.
Qed.

Lemma linear_sum_ok q l m : linear_val (linear_sum q l m) = Q2R q * linear_val l + linear_val m.
Proof.
  induction l as [|[b r] t IH]; cbn [linear_sum fold_right].
  - rewrite linear_nil. ring.
  - cbn [fst snd]. rewrite linear_add_ok, Q2R_qmul, linear_cons. unfold linear_sum in IH. rewrite IH. ring.
Qed.

Lemma linear_eqb_ok l : forall m, linear_eqb l m = true -> linear_val l = linear_val m.
Proof.
  induction l as [|[b q] r IH]; destruct m as [|[c p] s]; try discriminate; [reflexivity|].
  cbn [linear_eqb]. intros H. parts H. apply Pos.eqb_eq in H. apply qeq_ok in H1. subst c.
  now rewrite !linear_cons, H1, (IH _ H0).
Qed.

Lemma root_ok n : (1 < n)%positive -> let (b, e) := root n in val (Y n) = val (Y b) / IZR (Zpos e).
Proof.
  intros Hn. unfold root. destruct (root_from (Pos.to_nat n) 2 n) as [b e].
  destruct (Pos.ltb 1 b &&& (Zpos b ^ Zpos e =? Zpos n)%Z) eqn:H; [|field].
  apply both in H as [B H]. apply Z.eqb_eq in H. apply Pos.ltb_lt in B. rewrite !val_Y, <- H, ln_pow by lia.
  field. split; [|apply IZR_neq; lia]. pose proof (ln_pos b B). lra.
Qed.

Lemma discount_ok rank : discount rank = val (Y (Pos.succ rank)).
Proof.
  unfold discount, log2. rewrite val_Y, <- plus_IZR. replace (Zpos rank + 1)%Z with (Zpos (Pos.succ rank)) by lia.
  pose proof (ln_pos (Pos.succ rank) ltac:(lia)). pose proof (ln_pos 2 ltac:(lia)). field. split; lra.
Qed.

Lemma dcg_form_ok gains : forall rank, linear_val (dcg_form rank gains) = dcg_from rank gains.
Proof.
  induction gains as [|g r IH]; intros rank; cbn [dcg_form dcg_from]; [reflexivity|].
  pose proof (root_ok (Pos.succ rank) ltac:(lia)) as H. destruct (root (Pos.succ rank)) as [b e].
  rewrite linear_add_ok, IH, Q2R_qmul, Q2R_unit, discount_ok, H. field. apply IZR_neq. lia.
Qed.

Lemma over_ok q v : linear_val (snd (over q v)) <> 0 -> quotient_val (over q v) = Q2R q * worth v.
Proof.
  unfold over, quotient_val. intros H.
  assert (G : forall d i c, linear_val (linear_sum (Qinv c) i []) <> 0 ->
              linear_val (linear_sum (qmul q (Qinv c)) d []) / linear_val (linear_sum (Qinv c) i []) =
              Q2R q * (linear_val d / linear_val i)).
  { intros d i c N. rewrite !linear_sum_ok, linear_nil, Q2R_qmul in *. field.
    split; intros Z0; apply N; rewrite Z0; ring. }
  destruct v as [r|k gains cut judged]; cbn [fst snd worth] in *; rewrite G by exact H.
  - rewrite linear_add_ok, linear_cons, !linear_nil, val_2, Q2R_1. field.
  - unfold dcg_at. now rewrite !dcg_form_ok.
Qed.

Lemma onto_ok x j d : linear_val (snd x) <> 0 -> linear_val j <> 0 -> onto x j = Some d ->
  quotient_val x = linear_val d / linear_val j.
Proof.
  destruct x as [e i]. unfold onto, quotient_val. cbn [fst snd]. intros I J.
  destruct (linear_eqb i j) eqn:C; [apply linear_eqb_ok in C; intros [= <-]; now rewrite C|]. clear C.
  set (t := match e with [] => 0%Q | (_, q) :: _ => q end). clearbody t.
  destruct (linear_eqb e (linear_sum t i [])) eqn:C; [|discriminate]. intros [= <-].
  apply linear_eqb_ok in C. rewrite C, !linear_sum_ok, linear_nil. field. now split.
Qed.

Lemma term_ok q d i : sum_val (term q d i) = Q2R q * quotient_val (d, i).
Proof.
  unfold quotient_val. cbn [fst snd]. destruct d as [|t d]; unfold term.
  - rewrite linear_nil. cbn [sum_val]. unfold Rdiv. ring.
  - cbn [sum_val product_val]. fold (linear_val (t :: d)). fold (linear_val i). unfold Rdiv. ring.
Qed.

Lemma sum_app es fs : sum_val (es ++ fs) = sum_val es + sum_val fs.
Proof. induction es as [|[q f] r IH]; cbn [sum_val app]; [ring|]. rewrite IH. ring. Qed.

Lemma difference_ok x y : linear_val (snd x) <> 0 -> linear_val (snd y) <> 0 ->
  sum_val (difference x y) = quotient_val x - quotient_val y.
Proof.
  intros X Y. unfold difference. destruct (onto x (snd y)) as [d|] eqn:O; [|destruct (onto y (snd x)) as [d|] eqn:P].
  - apply onto_ok in O; try assumption. rewrite term_ok, O. unfold quotient_val. cbn [fst snd].
    rewrite linear_sum_ok, Q2R_1, Q2R_m1. field. exact Y.
  - apply onto_ok in P; try assumption. rewrite term_ok, P. unfold quotient_val. cbn [fst snd].
    rewrite linear_sum_ok, Q2R_1, Q2R_m1. field. exact X.
  - rewrite sum_app, !term_ok, Q2R_1, Q2R_m1, <- !surjective_pairing. ring.
Qed.

Definition quotients_val (xs : list (linear * linear)) : R := fold_right (fun x sum => quotient_val x + sum) 0 xs.

Lemma differences_ok xs ys : (forall x, In x (xs ++ ys) -> linear_val (snd x) <> 0) ->
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

Lemma shares_ok vs : Q2R (weight vs) <> 0 -> (forall x, In x (shares vs) -> linear_val (snd x) <> 0) ->
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
  assert (N : forall x, In x (shares vs ++ shares ws) -> linear_val (snd x) <> 0).
  { intros x X. apply (nonzero_ok bs); [exact H|]. now apply H1. }
  assert (Z0 : forall q, negb (Qeq_bool q 0) = true -> Q2R q <> 0).
  { intros q Q. apply qneq_0. now destruct (Qeq_bool q 0). }
  rewrite differences_ok by exact N. rewrite !shares_ok; auto; intros x X; apply N, in_or_app; auto.
Qed.

(** *** The theorems that a file of statements uses *)

Theorem average_greater bs vs ws : check_averages (has true) bs vs ws = true -> average (worths vs) > average (worths ws).
Proof. intros H. apply check_averages_ok in H as (es & B & H & S). apply (has_ok true _ _ B) in H. cbn in H. lra. Qed.

Theorem average_less bs vs ws : check_averages (has false) bs vs ws = true -> average (worths vs) < average (worths ws).
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

Theorem equal ids common bs v w : check_averages (vanishes ids common) bs (alone v) (alone w) = true -> worth v = worth w.
Proof. intros H. apply average_equal in H. now rewrite !alone_ok in H. Qed.

