// The drawings of empty pages: always an animal that does something. Two of them are on the published sites too.

import domains from './art/empty-domains.svg'
import requests from './art/empty-requests.svg'

const shared = import.meta.glob<string>('../../../server/assets/scenes/{box,glass}.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})
const sharedScene = (name: 'box' | 'glass') => shared[`../../../server/assets/scenes/${name}.svg`]

const scenes = { animals: sharedScene('box'), domains, requests, search: sharedScene('glass') }
export type SceneName = keyof typeof scenes

/** It says nothing that the words below it do not. */
export const Scene = ({ of }: { of: SceneName }) => <img src={scenes[of]} alt="" width={360} height={250} />
