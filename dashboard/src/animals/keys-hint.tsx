// The keyboard shortcuts of the list, shown while the keyboard is in it.

import { Fragment } from 'react'
import * as texts from '../texts/texts.ts'
import type { ListView } from './grid-layout.ts'

const { keysTitle, arrows, move, keys } = texts.animals

export const KEYS_HINT = 'animal-keys'

export const KeysHint = ({ view }: { view: ListView }) => (
  <p id={KEYS_HINT} className="animal-keys quiet tiny">
    {keysTitle}{' '}
    {[[arrows[view], move] as const, ...keys].map(([pressed, action]) => (
      <Fragment key={action}>
        <span className="animal-key">
          <kbd>{pressed}</kbd> {action}
        </span>{' '}
      </Fragment>
    ))}
  </p>
)
