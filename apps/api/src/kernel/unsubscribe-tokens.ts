import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { notificationReasons, type NotificationReason } from '@atelier/contract';
import { candidatesOf, type KeySet } from './keys.ts';

/** A kind of mail: of one reason and organization, or the digest of all. */
export type Subscription =
  | {
      readonly userId: string;
      readonly reason: NotificationReason;
      readonly organizationId: string;
    }
  | { readonly userId: string; readonly reason: 'digest'; readonly organizationId: null };

/** Makes and reads the tokens with which mails end themselves. They never expire: mails are kept for years. */
export interface UnsubscribeTokens {
  make(subscription: Subscription): string;
  /** @returns null for one that the service didn't make */
  read(token: string): Subscription | null;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createUnsubscribeTokens(keys: KeySet): UnsubscribeTokens {
  return {
    make({ userId, reason, organizationId }) {
      const { id, key } = keys.current;
      const content = [userId, reason, organizationId ?? ''].join('.');
      return [id, content, macOf(key, content).toString('base64url')].join('.');
    },

    read(token) {
      const [keyId, userId = '', reason = '', organizationId = '', mac = ''] = token.split('.');
      const [key] = candidatesOf(keys, keyId);
      if (!key) return null;
      const expected = macOf(key, [userId, reason, organizationId].join('.'));
      const presented = Buffer.from(mac, 'base64url');
      if (presented.length !== expected.length || !timingSafeEqual(presented, expected))
        return null;
      if (reason === 'digest') return { userId, reason, organizationId: null };
      const known = notificationReasons.find((name) => name === reason);
      // A reason of a later release.
      if (!known || !uuid.test(organizationId)) return null;
      return { userId, reason: known, organizationId };
    },
  };
}

function macOf(key: KeyObject, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
