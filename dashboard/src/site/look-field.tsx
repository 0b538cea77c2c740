// The look of the site: one of two, each with a small drawing in the owner's own colour.

import type { Look } from '@petstore-platform/contract/platform/site'
import { Check } from 'lucide-react'
import { useId } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { faultAt, type FormProps } from './form.ts'
import { LookDrawing } from './look-drawing.tsx'

const words = texts.site
/** In the order of the words: a look that the contract adds does not compile until it has some. */
const named: Record<Look, { name: string; text: string }> = words.looks

export function LookField({ fields: { look: chosen, themeColor }, faults, edit, isFixed }: FormProps) {
  const id = useId()
  return (
    <div className="stack tight">
      <div className="site-looks" role="radiogroup" aria-label={words.fields.look}>
        {(Object.keys(named) as Look[]).map((look) => (
          <div key={look} className="site-look">
            <input
              type="radio"
              name={id}
              value={look}
              checked={look === chosen}
              disabled={isFixed}
              aria-labelledby={`${id}-${look}`}
              aria-describedby={`${id}-${look}-text`}
              onChange={() => edit({ look })}
            />
            <span className="site-look-drawing">
              <LookDrawing of={look} color={themeColor} />
              <Icon of={Check} size={14} className="site-look-chosen" />
            </span>
            <span id={`${id}-${look}`} className="site-label">
              {named[look].name}
            </span>
            <span id={`${id}-${look}-text`} className="quiet tiny">
              {named[look].text}
            </span>
          </div>
        ))}
      </div>
      {faults.look !== undefined && (
        <p role="alert" className="site-fault small">
          {faultAt(faults, 'look')}
        </p>
      )}
    </div>
  )
}
