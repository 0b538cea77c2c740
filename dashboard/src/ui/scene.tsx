// The drawings of empty pages: always an animal that does something.

import animals from './art/empty-animals.svg'
import domains from './art/empty-domains.svg'
import requests from './art/empty-requests.svg'
import search from './art/empty-search.svg'

const scenes = { animals, domains, requests, search }
export type SceneName = keyof typeof scenes

/** It says nothing that the words below it do not. */
export const Scene = ({ of }: { of: SceneName }) => <img src={scenes[of]} alt="" width={360} height={250} />
