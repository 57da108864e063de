-- title: Ends the transaction
rollback
