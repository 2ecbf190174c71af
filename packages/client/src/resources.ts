export { resourceTypes } from './generated/resource-types.ts';
export {
  actions,
  resources,
  type Action,
  type Resource,
  type ResourceIcon,
} from './generated/resources.ts';
