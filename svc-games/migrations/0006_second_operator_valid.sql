-- PostgreSQL reads the table without blocking writers.
ALTER TABLE held_run VALIDATE CONSTRAINT held_run_release_proposed;
