import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { projectUseCases } from './usecases.ts';

export function projectsRoom(deps: Deps) {
  const projects = projectUseCases(deps);

  return room('projects', {
    list: ({ query, ctx }) => projects.list(query, ctx),
    create: ({ body, ctx }) => projects.create(body, ctx),
    get: ({ params, ctx }) => projects.get(params.id, ctx),
    update: ({ params, body, ctx }) => projects.update(params.id, body, ctx),
    move: ({ params, body, ctx }) => projects.move(params.id, body, ctx),
    remove: ({ params, ctx }) => projects.remove(params.id, ctx),
  });
}
