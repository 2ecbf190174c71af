CREATE TABLE "outgoing_jobs" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"job_key" text,
	"run_at" timestamp with time zone,
	"max_attempts" smallint NOT NULL,
	"enqueued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outgoing_jobs_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
-- The tables of the queue may not be there yet.
SET LOCAL check_function_bodies TO off;--> statement-breakpoint
-- Enqueues a job with the change that it follows: one Postgres commits both together. `operator distribute` replaces this
-- function, for changes that are on another server than the queue.
CREATE FUNCTION "enqueue_job"(
  "an_organization" uuid, "a_name" text, "a_payload" json, "a_key" text, "a_start" timestamptz, "most_attempts" integer
) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (graphile_worker.add_job(a_name, payload := a_payload, job_key := a_key, run_at := a_start,
    max_attempts := most_attempts)).id
$$;
