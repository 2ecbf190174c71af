-- Claims an idempotency key for the transaction of a change, which stores the response. Fails if another attempt has it or has
-- responded, so that statements that were sent behind this one do nothing. The lock ends with the transaction, however that ends;
-- a second statement sees what was committed before. Locks of two numbers are apart from those of one: a client chooses its key, and
-- with it must not hold a lock of authority. Two keys that share one only get 409 for as long as the other works. Only one Postgres is asked this. See docs/decisions/0117-claims-within-changes.md.
CREATE FUNCTION "claim_idempotency_key"(a_scope text, an_operation text, a_key text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF pg_try_advisory_xact_lock(58, hashtext(concat_ws(' ', an_operation, a_scope, a_key))) THEN
    PERFORM FROM idempotency_keys
      WHERE scope = a_scope AND operation = an_operation AND key = a_key
        AND expires_at > at AND (status IS NOT NULL OR leased_until > at);
    IF NOT FOUND THEN
      RETURN true;
    END IF;
  END IF;
  RAISE EXCEPTION 'Another attempt has this idempotency key.' USING ERRCODE = 'unique_violation';
END $$;
