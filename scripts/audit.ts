import { spawnSync } from 'node:child_process';

// Fails on known vulnerabilities of production dependencies, from `high` on. A registry without the endpoint is a
// skip with a reason, not a pass.
const { stdout, stderr, status } = spawnSync('pnpm', ['audit', '--prod', '--audit-level', 'high'], {
  encoding: 'utf8',
});
const output = `${stdout}${stderr}`;
const isUnavailable =
  /ERR_PNPM_AUDIT_(?:BAD_RESPONSE|ENDPOINT_NOT_EXISTS)|ENOTFOUND|ECONNREFUSED/.test(output);
if (isUnavailable) {
  const registryStatus = /responded with (\d+)/.exec(output.replaceAll(/\s+│?\s*/g, ' '))?.[1];
  console.log(
    `Skipped: the registry has no audit (${registryStatus === undefined ? 'unreachable' : `status ${registryStatus}`}).`,
  );
  console.log('audit: 0 passed, 0 failed, 1 skipped');
} else {
  console.log(output.trimEnd());
  console.log(status === 0 ? 'audit: 1 passed, 0 failed' : 'audit: 0 passed, 1 failed');
  process.exitCode = status === 0 ? 0 : 1;
}
