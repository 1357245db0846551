-- The reservation of a tournament's cash at svc-wallet. A tournament that is removed and applied
-- again has another one. Null in tournaments that were applied before there were reservations.
ALTER TABLE tournament ADD COLUMN reservation_id uuid;
