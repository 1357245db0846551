-- A message about this push could not be taken at its word: only Daraja's own
-- answer ends the questions then, not what another message says.
ALTER TABLE stk_push ADD COLUMN disputed boolean NOT NULL DEFAULT false;
