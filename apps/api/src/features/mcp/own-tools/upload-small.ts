import { Id, InitiateUploadBody } from '@atelier/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { withinOrganization } from '../../../db/scopes.ts';
import { mcpQueries } from '../queries.ts';
import { refusal, resultOfResponse } from '../results.ts';
import { organizationHeader } from '../api.ts';
import type { OwnTool, OwnToolCall } from './own-tool.ts';

/** Longest base64 of a content, in characters; with the rest of the message it fits into a request. */
const maxBase64Length = 1_000_000;

const { fileName, contentType, collectionId, assetId } = InitiateUploadBody.shape;

const Input = z.strictObject({
  fileName,
  contentType,
  collectionId,
  assetId,
  content: z
    .base64({ error: 'Invalid content: expected base64' })
    .max(maxBase64Length, { error: `Invalid content: at most ${maxBase64Length} characters` })
    .describe(`The content in base64, at most ${maxBase64Length} characters.`),
  organizationId: Id.optional(),
});

/** Uploads a small file through the service: an assistant can't reach the storage. */
export const assetsUploadSmall: OwnTool<z.infer<typeof Input>> = {
  name: 'assets_upload_small',
  title: 'Upload a small file',
  description:
    'Adds a file to a collection, or with `assetId` a version to an asset. Larger files need a program that uploads to the storage.',
  toolset: 'library',
  scope: 'asset:create',
  effect: 'change',
  input: Input,
  async call({
    input: { content: base64, organizationId: given, ...file },
    caller,
    callApi,
    deps,
  }) {
    const organizationId = given ?? (await organizationOf(file.collectionId, { caller, callApi }));
    if (typeof organizationId !== 'string') return organizationId;
    const { collectionId, assetId = null } = file;
    // Of other organizations, the API refuses the upload, and nothing else is told.
    const isReached = caller.organizations.some(({ id }) => id === organizationId);
    const isShown = () =>
      withinOrganization(deps.scopes, organizationId, () =>
        mcpQueries(deps.db).isShared({ organizationId, collectionId, assetId }, deps.clock.now()),
      );
    if (isReached && (await isShown())) {
      return refusal(
        'A share shows this to outsiders: a person has to upload here, or end the share',
      );
    }
    const headers = organizationHeader(organizationId);
    const content = Buffer.from(base64, 'base64');
    const initiated = await callApi({
      operation: 'uploads.initiate',
      headers,
      body: { ...file, fileSize: content.length },
    });
    if (initiated.status >= 400) return resultOfResponse(initiated);
    const { uploadId, key } = initiated.body.data as { uploadId: string; key: string };
    const upload = await withinOrganization(deps.scopes, organizationId, () =>
      mcpQueries(deps.db).findUpload({ organizationId, id: uploadId }),
    );
    if (upload === null) return refusal('The upload was aborted meanwhile');
    const eTag = await deps.store.putPart({ ...upload, partNumber: 1, content });
    const completed = await callApi({
      operation: 'uploads.complete',
      headers,
      body: {
        uploadId,
        key,
        contentType: file.contentType,
        collectionId: file.collectionId,
        parts: [{ partNumber: 1, eTag }],
      },
    });
    return resultOfResponse(completed);
  },
};

/** @returns the organization of a collection, or the refusal to read it */
async function organizationOf(
  id: string,
  { caller, callApi }: Pick<OwnToolCall<never>, 'caller' | 'callApi'>,
): Promise<string | CallToolResult> {
  const [only, ...others] = caller.organizations;
  if (only && others.length === 0) return only.id;
  const collection = await callApi({ operation: 'collections.get', params: { id } });
  if (collection.status >= 400) return resultOfResponse(collection);
  return (collection.body.data as { organizationId: string }).organizationId;
}
