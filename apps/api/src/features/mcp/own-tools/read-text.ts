import { Id } from '@atelier/contract';
import { z } from 'zod';
import { refusal, resultOf, resultOfResponse } from '../results.ts';
import { withinOrganization } from '../../../db/scopes.ts';
import { findContent } from '../../../domain/asset-content/queries.ts';
import { organizationHeader } from '../api.ts';
import type { OwnTool } from './own-tool.ts';

/** Largest text that is read, in bytes. */
const maxTextBytes = 256 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const Input = z.strictObject({
  id: Id,
  versionNumber: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional()
    .describe('Default: the current version.'),
  organizationId: Id.optional(),
});

/** Reads the text of an asset from the storage, which an assistant can't reach. */
export const assetsReadText: OwnTool<z.infer<typeof Input>> = {
  name: 'assets_read_text',
  title: 'Read the text of an asset',
  description: `The content of a text file in UTF-8, such as Markdown, CSV or source code, of at most ${maxTextBytes} bytes. Other files are refused.`,
  toolset: 'library',
  scope: 'asset:read',
  effect: 'read',
  input: Input,
  async call({ input: { id, versionNumber = null, organizationId }, callApi, deps }) {
    const asset = await callApi({
      operation: 'assets.get',
      params: { id },
      headers: organizationHeader(organizationId),
    });
    if (asset.status >= 400) return resultOfResponse(asset);
    const { assetName, organizationId: owner } = asset.body.data as {
      assetName: string;
      organizationId: string;
    };
    const found = await withinOrganization(deps.scopes, owner, () =>
      findContent(deps.db, { organizationId: owner, id, versionNumber }),
    );
    if (found === null) return refusal(`${assetName} has no version ${versionNumber}`);
    const content = await deps.store.readObject({ key: found.key, maxBytes: maxTextBytes });
    if (content === null) return refusal(`The content of ${assetName} is gone`);
    if (content === 'too_large') {
      return refusal(`${assetName} is longer than ${maxTextBytes} bytes`);
    }
    const text = textIn(content);
    if (text === null) return refusal(`${assetName} is not text in UTF-8`);
    return resultOf({ id, assetName, versionNumber: found.versionNumber, text });
  },
};

/** @returns null for what is not text: a picture, or another encoding */
function textIn(content: Buffer): string | null {
  try {
    const text = utf8.decode(content);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
