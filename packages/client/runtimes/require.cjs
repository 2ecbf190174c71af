// Loads the ES modules of the packed client from CommonJS.
const { ApiError, createClient } = require('@atelier/client');

if (typeof createClient !== 'function' || !(ApiError.prototype instanceof Error)) {
  throw new Error('require does not load the client');
}
