COMMENT ON TABLE award_given IS 'Rows stay for good: they are records of money that was given. At most 100 a tournament by its settlement, and as many for runs that operators released later.';
