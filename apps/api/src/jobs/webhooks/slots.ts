/** Endpoints of one organization that a process sends to at the same time. */
const maxOfOrganization = 3;
/** Endpoints that a process sends to at the same time although they were slow the last time: half of all. */
const maxSlow = 4;
/** Slow endpoints that are remembered. */
const maxRemembered = 10_000;

interface Endpoint {
  readonly organizationId: string;
  readonly webhookId: string;
}

export interface Slot {
  /** Whether another endpoint of the organization was refused a slot meanwhile. */
  readonly isContended: boolean;
  /** Says whether the endpoint takes long. */
  noteSlow(isSlow: boolean): void;
  release(): void;
}

export interface Slots {
  /** @returns null if its organization, or slow endpoints together, have as many as they may */
  take(endpoint: Endpoint): Slot | null;
}

/**
 * Shares the jobs that a process runs at once among organizations, and among fast and slow endpoints: receivers that hang
 * don't hold them all.
 */
export function createSlots(): Slots {
  const organizations = new Map<string, { taken: number; refusals: number }>();
  const slow = new Set<string>();
  let slowTaken = 0;
  return {
    take({ organizationId, webhookId }) {
      const current = organizations.get(organizationId) ?? { taken: 0, refusals: 0 };
      if (current.taken >= maxOfOrganization) {
        current.refusals += 1;
        return null;
      }
      const isSlow = slow.has(webhookId);
      if (isSlow && slowTaken >= maxSlow) return null;
      organizations.set(organizationId, current);
      current.taken += 1;
      if (isSlow) slowTaken += 1;
      const { refusals } = current;
      return {
        get isContended() {
          return current.refusals > refusals;
        },
        noteSlow(isSlow) {
          if (!isSlow) slow.delete(webhookId);
          else if (slow.size < maxRemembered) slow.add(webhookId);
        },
        release() {
          current.taken -= 1;
          if (isSlow) slowTaken -= 1;
          if (current.taken === 0) organizations.delete(organizationId);
        },
      };
    },
  };
}
