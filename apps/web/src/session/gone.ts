import { ApiError } from '@atelier/client';

/**
 * Deletes something. That it is gone already is no failure: an attempt whose response was lost may have deleted it.
 *
 * @returns the response, or what stands for it
 */
export async function orGone<Response, Gone>(
  deletion: Promise<Response>,
  gone: Gone,
): Promise<Response | Gone> {
  try {
    return await deletion;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return gone;
    throw error;
  }
}
