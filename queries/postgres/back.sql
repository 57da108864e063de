-- title: Comes back to that place, and gives back the lock that a copied table was under
rollback to savepoint before_table
