import { ApiError } from '@atelier/client';
import { errorCatalogue } from '@atelier/contract/errors';
import { api } from '../../api';

export async function GET(): Promise<Response> {
  try {
    await api.tasks.get({ params: { id: 'not-an-id' } });
    return new Response(null, { status: 500 });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code } = error;
    return Response.json({ code, status: code in errorCatalogue ? error.status : 0 });
  }
}
