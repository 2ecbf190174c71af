/**
 * Replaces Fastify's schema compilers, so that they are never loaded. The contract validates requests, and a
 * route with a schema of its own fails when the service is built.
 */
export const noCompilers = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function refuseSchemas(): never {
  throw new Error('A schema belongs to the contract, not to a route.');
}
