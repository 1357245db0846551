ALTER TABLE journal VALIDATE CONSTRAINT journal_kind;
ALTER TABLE money_operation
    VALIDATE CONSTRAINT money_operation_kind,
    VALIDATE CONSTRAINT money_operation_second;
