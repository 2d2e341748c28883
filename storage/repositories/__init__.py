"""The port over SQL, a part a module. Each part is a base of `storage.sql.SqlTransaction`."""
