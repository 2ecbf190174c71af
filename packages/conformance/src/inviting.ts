import type { Probe } from './probe.ts';

/** Invites an address to a team. */
export async function invite(
  probe: Probe,
  offer: { token: string; teamId: string; email: string; role: string },
) {
  const { token, teamId, email, role } = offer;
  return probe.succeed('organizations.invite', {
    token,
    params: { id: teamId },
    body: { email, role },
  });
}
