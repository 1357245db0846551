-- The house accounts of taxes have two further ids. Each table is altered in a transaction
-- of its own: payments lock the same tables in another order.
ALTER TABLE wallet
    DROP CONSTRAINT wallet_is_no_house_account,
    ADD CONSTRAINT wallet_is_no_house_account CHECK (player_id NOT BETWEEN
        '00000000-0000-7000-8000-000000000001' AND '00000000-0000-7000-8000-00000000000a')
        NOT VALID;
