// The last step of an import: its progress, its result, its photos, and the way back.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { BadRows } from './bad-rows.tsx'
import { FetchedPhotos } from './fetched-photos.tsx'
import { ImportedAnimals } from './imported-animals.tsx'
import { ImportStepPage } from './import-frame.tsx'
import { KeptAnimals } from './kept-animals.tsx'
import { PhotoFiles } from './photo-files.tsx'
import { addressOf } from './steps.ts'
import { UndoButton } from './undo-button.tsx'
import { importViews, type FoundImport } from './views.ts'
import { Waiting } from './waiting.tsx'

const words = texts.imports

export const DonePage = () => (
  <ImportStepPage at="done">
    {(found) => {
      const { label, isGoing } = importViews[found.state]
      if (!isGoing) return <Result found={found} />
      return (
        <Waiting done={found.lines} all={found.state === 'running' ? found.table?.rows : undefined}>
          {label}
        </Waiting>
      )
    }}
  </ImportStepPage>
)

function Result({ found }: { found: FoundImport }) {
  const { slug } = useProject()
  const isDone = found.state === 'succeeded'
  return (
    <>
      <Section title={importViews[found.state].label}>
        <Outcome found={found} />
        {isDone && found.isReviewed && found.added + found.changed > 0 && <ImportedAnimals found={found} />}
        <div className="row">
          <Button
            renderRoot={(props) => <Link to="/projects/$project/animals" params={{ project: slug }} {...props} />}
          >
            {words.show}
          </Button>
          <Button
            variant="default"
            renderRoot={(props) => <Link to={addressOf.choose} params={{ project: slug }} {...props} />}
          >
            {words.another}
          </Button>
          {found.undoUntil !== null && <UndoButton importId={found.id} until={found.undoUntil} />}
        </div>
        <BadRows found={found} />
      </Section>
      {isDone && found.isReviewed && (
        <>
          <FetchedPhotos found={found} />
          {found.added + found.changed > 0 && <PhotoFiles found={found} />}
        </>
      )}
    </>
  )
}

function Outcome({ found }: { found: FoundImport }) {
  const { state, added, changed, reason, keptCount } = found
  switch (state) {
    case 'succeeded':
      return (
        <div className="note good" role="status">
          {added + changed === 0 ? words.nothingChanged : `${words.done(added, changed)} ${words.live}`}
        </div>
      )
    case 'undone':
      return keptCount === 0 ? (
        <div className="note good" role="status">
          {words.undone}
        </div>
      ) : (
        <KeptAnimals found={found} />
      )
    case 'failed':
      return (
        <div className="note bad" role="status">
          {reason ?? words.notDone}
        </div>
      )
    default:
      return <div className="note">{words.discardedText}</div>
  }
}
