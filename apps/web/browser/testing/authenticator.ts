import type { Page } from 'playwright-core';

interface SoftwareAuthenticator {
  /** Whether it accepts every question, as a person would who is present. */
  answers(isPresent: boolean): Promise<void>;
}

/** Gives a page an authenticator with a fingerprint that is always right. */
export async function softwareAuthenticator(page: Page): Promise<SoftwareAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async answers(enabled) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
  };
}
