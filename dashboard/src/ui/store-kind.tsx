// A shelter or a shop: two cards, of which one is chosen.

import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { Check, HeartHandshake, Store, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon } from './icon.tsx'
import './store-kind.css'

const words = texts.storeKind
const icons: Readonly<Record<ProjectKind, LucideIcon>> = { shelter: HeartHandshake, shop: Store }

type KindProps = {
  /** Undefined: not chosen yet. */
  chosen: ProjectKind | undefined
  onChoose: (kind: ProjectKind) => void
  isFixed?: boolean
}

export function StoreKind({ chosen, onChoose, isFixed = false }: KindProps) {
  const id = useId()
  return (
    <div className="store-kinds" role="radiogroup" aria-label={words.label}>
      {(Object.keys(icons) as ProjectKind[]).map((kind) => (
        <label key={kind} className="store-kind">
          <input
            type="radio"
            className="visually-hidden"
            name={id}
            value={kind}
            checked={kind === chosen}
            disabled={isFixed}
            onChange={() => onChoose(kind)}
          />
          <Icon of={icons[kind]} size={24} />
          <span className="grow">
            <span className="store-kind-name">{words.kinds[kind].name}</span>
            <span className="quiet small">{words.kinds[kind].text}</span>
          </span>
          <Icon of={Check} size={14} className="store-kind-chosen" />
        </label>
      ))}
    </div>
  )
}
