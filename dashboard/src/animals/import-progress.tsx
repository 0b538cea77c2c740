// An import that is being worked off, and what became of it.

import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { ImportResult } from './import-result.tsx'
import { ImportSteps } from './import-steps.tsx'
import { importViews } from './views.ts'

const words = texts.animals.imports
const ASK_AGAIN_MS = 500

export function ImportProgress({ id, onAnother }: { id: string; onAnother: () => void }) {
  const { slug } = useProject()
  const found = useQuery({
    ...query('getImport', { project: slug, importId: id }),
    refetchInterval: ({ state: { data } }) => (data && !importViews[data.state].isGoing ? false : ASK_AGAIN_MS),
  })
  return (
    <Loaded from={found}>
      {(data) => {
        const { label, isGoing } = importViews[data.state]
        return (
          <Section title={label}>
            <ImportSteps at={isGoing ? 'read' : 'done'} />
            {isGoing ? (
              <div className="stack tight" role="status">
                {/* How many lines there are is not known before the last one was read. */}
                <Progress value={100} animated aria-label={label} />
                <span>{words.lines(data.lines)}</span>
                <span className="quiet">{words.mayLeave}</span>
              </div>
            ) : (
              <>
                <ImportResult result={data} />
                <div className="row">
                  {data.added > 0 && (
                    <Button
                      renderRoot={(props) => (
                        <Link to="/projects/$project/animals" params={{ project: slug }} {...props} />
                      )}
                    >
                      {words.show}
                    </Button>
                  )}
                  <Button variant="default" onClick={onAnother}>
                    {words.another}
                  </Button>
                </div>
              </>
            )}
          </Section>
        )
      }}
    </Loaded>
  )
}
