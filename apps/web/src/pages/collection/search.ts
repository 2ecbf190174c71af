export { assetListSearch as validateSearch } from '../../library/asset-list-search.ts';
