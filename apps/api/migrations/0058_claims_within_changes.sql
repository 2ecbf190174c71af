-- Claims an idempotency key for the transaction of a change, which stores the response. Fails if another attempt has it or has
-- responded, so that statements that were sent behind this one do nothing. The lock ends with the transaction, however that ends;
-- a second statement sees what was committed before. Only one Postgres is asked this. See docs/decisions/0117-claims-within-changes.md.
CREATE FUNCTION "claim_idempotency_key"(a_scope text, an_operation text, a_key text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', 'idempotency', an_operation, a_scope, a_key), 0)) THEN
    PERFORM FROM idempotency_keys
      WHERE scope = a_scope AND operation = an_operation AND key = a_key
        AND expires_at > at AND (status IS NOT NULL OR leased_until > at);
    IF NOT FOUND THEN
      RETURN true;
    END IF;
  END IF;
  RAISE EXCEPTION 'Another attempt has this idempotency key.' USING ERRCODE = 'unique_violation';
END $$;
