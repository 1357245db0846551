-- These texts are in Swahili, beside the English ones in the columns of the same names. English
-- stands for one that is empty.
ALTER TABLE payment_method ADD COLUMN name_sw text NOT NULL DEFAULT '';
ALTER TABLE subscription_package ADD COLUMN description_sw text NOT NULL DEFAULT '';

UPDATE payment_method SET name_sw = 'Kadi' WHERE code = 'CARD' AND name = 'Card';
UPDATE payment_method SET name_sw = 'Pochi' WHERE code = 'WALLET' AND name = 'Wallet';
UPDATE payment_method SET name_sw = 'Airtime ya Safaricom'
WHERE code = 'SAFARICOM_CREDIT' AND name = 'Safaricom airtime';
