// The card of an animal as visitors see it, from what is typed now.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { AnimalPicture } from '../ui/animal-picture.tsx'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { ageWords } from './age.ts'
import { readBorn } from './born.ts'
import type { Fields } from './profile-fields.ts'
import { breedWords, writtenFee } from './profile-words.ts'
import { statusLabel, statusViews } from './views.ts'

const words = texts.profiles

type CardProps = { id: bigint; status: PetStatus; fields: Fields; category: string; cover: PublicPhoto | null }

export function VisitorCard({ id, status, fields, category, cover }: CardProps) {
  const { slug, kind } = useProject()
  const [today] = useState(() => new Date())
  const born = readBorn(fields.born, today)
  const facts = [
    breedWords(fields) || category,
    fields.sex && words.sexes[fields.sex].toLowerCase(),
    born && ageWords({ ...born, isEstimated: fields.isBornEstimated }, today),
  ]
  return (
    <section className="stack tight" aria-label={words.groups.preview}>
      <h2 className="profile-side-title">{words.groups.preview}</h2>
      {fields.isHidden ? (
        <div className="card row whole quiet">
          <Icon of={EyeOff} />
          {words.hints.hidden}
        </div>
      ) : (
        <div className="visitor-card">
          <AnimalPicture project={slug} cover={cover} category={category} id={id} chosen={fields.portrait} size={320} />
          <Badge tone={statusViews[status].tone}>{statusLabel(status, kind)}</Badge>
          <div className="visitor-words">
            <strong>{fields.name.trim() || words.noName}</strong>
            <span className="quiet small">{facts.filter(Boolean).join(' · ')}</span>
            {fields.headline !== '' && <span className="small visitor-headline">{fields.headline}</span>}
            {fields.traits.length > 0 && <span className="quiet tiny">{fields.traits.slice(0, 4).join(' · ')}</span>}
            <span className="small visitor-fee">
              {words.fee(kind)}: {writtenFee(fields.fee) || words.askUs}
            </span>
          </div>
        </div>
      )}
    </section>
  )
}
