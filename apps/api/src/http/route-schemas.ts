/**
 * In the place of Fastify's compilers of schemas, which would only be loaded: what is valid is the contract's to say, and a
 * route with a schema of its own fails when the service is built.
 */
export const noCompilers = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function refuseSchemas(): never {
  throw new Error('A schema belongs to the contract, not to a route.');
}
