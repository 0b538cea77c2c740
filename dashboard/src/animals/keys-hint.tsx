// The keyboard shortcuts of the table, for people who have a keyboard.

import { Fragment } from 'react'
import { texts } from '../texts/texts.ts'

export const KeysHint = ({ id }: { id: string }) => (
  <p id={id} className="animal-keys quiet small">
    {texts.animals.keysTitle}{' '}
    {texts.animals.keys.map(([keys, does]) => (
      <Fragment key={keys}>
        <span className="animal-key">
          <kbd>{keys}</kbd> {does}
        </span>{' '}
      </Fragment>
    ))}
  </p>
)
