import { texts as activity } from './activity.ts';
import { texts as asset } from './asset.ts';
import { texts as bin } from './bin.ts';
import { texts as collection } from './collection.ts';
import { texts as collections } from './collections.ts';
import { texts as shared } from './shared.ts';
import { texts as dashboard } from './dashboard.ts';
import { texts as errors } from './errors.ts';
import { texts as favorites } from './favorites.ts';
import { texts as labels } from './labels.ts';
import { texts as library } from './library.ts';
import { texts as members } from './members.ts';
import { texts as myTasks } from './my-tasks.ts';
import { texts as organization } from './organization.ts';
import { texts as plan } from './plan.ts';
import { texts as profile } from './profile.ts';
import { texts as project } from './project.ts';
import { texts as projects } from './projects.ts';
import { texts as welcome } from './welcome.ts';
import { texts as session } from './session.ts';
import { texts as shell } from './shell.ts';
import { texts as summary } from './summary.ts';
import { texts as tasks } from './tasks.ts';
import { texts as timelineResource } from './timeline-resource.ts';
import { texts as timeline } from './timeline.ts';
import { texts as uploads } from './uploads.ts';

/** All texts of the app, for translations. Pages import only the module that they show. */
export const allTexts = {
  activity,
  asset,
  bin,
  collection,
  collections,
  shared,
  dashboard,
  errors,
  favorites,
  labels,
  library,
  members,
  myTasks,
  organization,
  plan,
  profile,
  project,
  projects,
  welcome,
  session,
  shell,
  summary,
  tasks,
  timelineResource,
  timeline,
  uploads,
};
