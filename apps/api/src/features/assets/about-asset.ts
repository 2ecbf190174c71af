import { aboutResource } from '../../domain/activity.ts';

export const aboutAsset = aboutResource('asset', ({ name }: { readonly name: string }) => name);
