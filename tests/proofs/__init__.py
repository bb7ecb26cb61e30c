"""What Coq checks: the theorems in proofs/, and files of statements that are written for them."""
