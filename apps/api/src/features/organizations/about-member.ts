import { aboutResource } from '../../domain/activity.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';

export const aboutMember = aboutResource('member', displayNameOf);
