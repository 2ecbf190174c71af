-- Lets what is changed on the coordinator of a distributed database commit with the rows of the organization. One Postgres
-- commits everything together: there nothing calls this function. `operator distribute` replaces it and makes its triggers, and so
-- does this migration of a database that is distributed already.
CREATE OR REPLACE FUNCTION "commit_together"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
