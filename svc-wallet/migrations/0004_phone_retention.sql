-- The sweep removes the phone of a decided payment, PHONE_RETENTION after it began. It finds by
-- these indexes the payments that still have one.
CREATE INDEX stk_push_with_phone ON stk_push (created_at) WHERE msisdn <> '';
CREATE INDEX b2c_payout_with_phone ON b2c_payout (created_at) WHERE msisdn <> '';
CREATE INDEX airtime_charge_with_phone ON airtime_charge (created_at) WHERE msisdn <> '';
COMMENT ON COLUMN stk_push.msisdn IS 'Empty after PHONE_RETENTION.';
COMMENT ON COLUMN b2c_payout.msisdn IS 'Empty after PHONE_RETENTION.';
COMMENT ON COLUMN airtime_charge.msisdn IS 'Empty after PHONE_RETENTION.';
