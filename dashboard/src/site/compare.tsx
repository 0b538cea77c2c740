// Compares two versions, or one and the draft: the differences, old next to new. Long
// texts are compared line by line.

import { NativeSelect } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Failure, Loading } from '../ui/states.tsx'
import type { Deployment } from './deployment-view.ts'
import { fieldsOf } from './fields.ts'
import { lineDiff, type DiffLine } from './line-diff.ts'
import { differencesOf, draftVersion, versionOf, type Difference, type Version } from './versions.ts'

const words = texts.site

/** No deployment has this identifier. */
export const DRAFT = 'draft'
export type Chosen = { before: string; after: string }

type CompareProps = { deployments: readonly Deployment[]; chosen: Chosen; onChoose: (chosen: Chosen) => void }

export function Compare({ deployments, chosen, onChoose }: CompareProps) {
  const data = [
    { value: DRAFT, label: words.draft },
    ...deployments.map(({ id, number }) => ({ value: id, label: words.version(number) })),
  ]
  const before = useVersion(chosen.before)
  const after = useVersion(chosen.after)
  const failed = before.error ?? after.error
  return (
    <>
      <div className="row site-versions-chosen">
        {(['before', 'after'] as const).map((side) => (
          <NativeSelect
            key={side}
            label={side === 'before' ? words.earlier : words.later}
            data={data}
            value={chosen[side]}
            onChange={({ currentTarget }) => onChoose({ ...chosen, [side]: currentTarget.value })}
          />
        ))}
      </div>
      <div aria-live="polite">
        {before.data && after.data ? (
          <Differences of={differencesOf(before.data, after.data)} />
        ) : failed ? (
          <Failure error={failed} />
        ) : (
          <Loading />
        )}
      </div>
    </>
  )
}

function useVersion(id: string): { data: Version | undefined; error: unknown } {
  const { slug: project } = useProject()
  const isDraft = id === DRAFT
  const kept = useQuery({
    ...query('getDeploymentSettings', { project, deploymentId: id }),
    enabled: !isDraft,
    // What a deployment keeps never changes.
    staleTime: Infinity,
  })
  const site = useQuery({ ...query('getSite', { project }), enabled: isDraft })
  const categories = useQuery({ ...query('listCategories', { project }), enabled: isDraft })
  if (!isDraft) return { data: kept.data && versionOf(kept.data), error: kept.error }
  return {
    data: site.data && categories.data && draftVersion(site.data, fieldsOf(site.data), categories.data),
    error: errorOf(site) ?? errorOf(categories),
  }
}

const errorOf = ({ data, error }: Pick<UseQueryResult, 'data' | 'error'>) => (data === undefined ? error : null)

function Differences({ of }: { of: readonly Difference[] }) {
  if (of.length === 0) return <p className="plain quiet">{words.same}</p>
  return (
    <table className="list site-versions-differences" aria-label={words.whatDiffers}>
      <thead>
        <tr>
          <th scope="col">{words.whatDiffers}</th>
          <th scope="col">{words.earlier}</th>
          <th scope="col">{words.later}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{words.fields[field]}</th>
            {field === 'about' ? (
              <td colSpan={2}>
                <Lines lines={lineDiff(before, after)} />
              </td>
            ) : (
              <>
                <Value label={words.earlier} text={before} isColour={field === 'themeColor'} />
                <Value label={words.later} text={after} isColour={field === 'themeColor'} />
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Value = ({ label, text, isColour }: { label: string; text: string; isColour: boolean }) => (
  <td data-label={label} className="site-value">
    {isColour && <span className="site-versions-colour" style={{ backgroundColor: text }} aria-hidden />}
    {text || <span className="quiet">{words.nothing}</span>}
  </td>
)

const Lines = ({ lines }: { lines: readonly DiffLine[] }) => (
  <div className="site-versions-lines small">
    {lines.map(({ kind, text }, index) => (
      // Lines have no names of their own, and the list is never changed in place.
      <Line key={`${index} ${kind}`} kind={kind} text={text} />
    ))}
  </div>
)

/** Removed and added lines are marked by a sign and in words, not by colour alone. */
function Line({ kind, text }: DiffLine) {
  if (kind === 'same') return <div className="site-versions-line">{text || ' '}</div>
  const [Tag, word] = kind === 'gone' ? (['del', words.removedLine] as const) : (['ins', words.addedLine] as const)
  return (
    <div className={`site-versions-line ${kind}`}>
      <span className="visually-hidden">{word} </span>
      <Tag>{text || ' '}</Tag>
    </div>
  )
}
