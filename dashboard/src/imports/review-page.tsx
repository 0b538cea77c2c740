// The fourth step of an import: what would happen to each row, as filters with their counts; cells are corrected in
// place. Nothing is written before the button at the end.

import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import type { GridColumn } from './grid-column.ts'
import { ImportStepPage } from './import-frame.tsx'
import { ProblemList } from './problem-list.tsx'
import { ReviewGrid } from './review-grid.tsx'
import { rowFilters, type RowFilter } from './search.ts'
import { StartOver } from './start-over.tsx'
import { addressOf } from './steps.ts'
import { useStepAction } from './use-step-action.ts'
import { useRows } from './use-rows.ts'
import type { FoundImport } from './views.ts'
import { Waiting } from './waiting.tsx'

const words = texts.imports

type Counts = NonNullable<FoundImport['counts']>

export const ReviewPage = () => <ImportStepPage at="review">{(found) => <Judged found={found} />}</ImportStepPage>

function Judged({ found }: { found: FoundImport }) {
  const cache = useQueryClient()
  const isJudging = found.state === 'judging'
  const wasJudging = useRef(isJudging)
  useEffect(() => {
    // The rows as they were judged before are out of date.
    if (wasJudging.current && !isJudging) void renew(cache, ['listImportRows'])
    wasJudging.current = isJudging
  }, [cache, isJudging])
  if (isJudging || !found.counts || !found.table) return <Waiting>{words.judging}</Waiting>
  return <Review found={found} counts={found.counts} columns={columnsOf(found.table)} />
}

/** Those that are imported. */
const columnsOf = ({ columns }: NonNullable<FoundImport['table']>): GridColumn[] =>
  columns.flatMap(({ index, title, field }) =>
    field === null ? [] : [{ index, title, field, name: words.fields[field] }],
  )

type ReviewProps = { found: FoundImport; counts: Counts; columns: readonly GridColumn[] }

function Review({ found, counts, columns }: ReviewProps) {
  const { show: wanted } = useSearch({ from: addressOf.review })
  // First what needs the person; it stays while she solves it.
  const [first] = useState<RowFilter>(counts.problem > 0 ? 'problem' : 'all')
  const show = wanted ?? first
  const { pages, change } = useRows(found.id, show)
  return (
    <>
      <Section title={words.reviewTitle} actions={<StartOver importId={found.id} />}>
        <p className="plain quiet">{words.reviewLead}</p>
        {found.reason !== null && (
          <div className="note warn" role="alert">
            {found.reason}
          </div>
        )}
        <Filters importId={found.id} counts={counts} show={show} />
        <Loaded from={pages}>
          {({ pages: loaded }) => {
            const rows = loaded.flatMap(({ items }) => items)
            return (
              <>
                {show === 'problem' && <ProblemList rows={rows} count={counts.problem} columns={columns} />}
                {rows.length === 0 ? (
                  <p className="quiet plain">{words.noneHere}</p>
                ) : (
                  <ReviewGrid rows={rows} columns={columns} onChange={change} />
                )}
              </>
            )
          }}
        </Loaded>
        {pages.hasNextPage && (
          <div>
            <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {texts.common.more}
            </Button>
          </div>
        )}
      </Section>
      <Apply found={found} counts={counts} />
    </>
  )
}

const allOf = ({ create, update, unchanged, problem, skip }: Counts) => create + update + unchanged + problem + skip

function Filters({ importId, counts, show }: { importId: string; counts: Counts; show: RowFilter }) {
  const { slug } = useProject()
  const countOf = (filter: RowFilter) => (filter === 'all' ? allOf(counts) : counts[filter])
  return (
    <nav className="chips" aria-label={words.filters} data-scrolls>
      {rowFilters
        .filter((filter) => filter === 'all' || filter === show || countOf(filter) > 0)
        .map((filter) => (
          <Link
            key={filter}
            className="chip"
            to={addressOf.review}
            params={{ project: slug, import: importId }}
            search={{ show: filter }}
            resetScroll={false}
            activeProps={{}}
            aria-current={filter === show ? 'true' : undefined}
          >
            {words.filter[filter]} <span className="num">{words.number(countOf(filter))}</span>
          </Link>
        ))}
    </nav>
  )
}

function Apply({ found: { id }, counts }: { found: FoundImport; counts: Counts }) {
  const { slug } = useProject()
  const params = { project: slug, import: id }
  const apply = useStepAction('applyImport', id, 'done')
  const count = counts.create + counts.update
  return (
    <div className="import-bar">
      <p className="plain small grow">
        {count === 0 ? words.nothingToDo : words.wouldDo(counts.create, counts.update)}
        {counts.problem > 0 && <span className="quiet"> {words.leftOut(counts.problem)}</span>}
      </p>
      <Button
        loading={apply.isPending}
        disabled={count === 0}
        onClick={() => apply.mutate({ project: slug, importId: id, body: { onBadLine: 'skip' } })}
      >
        {count === 0 ? words.applyNone : words.apply(count)}
      </Button>
      <Button variant="default" renderRoot={(props) => <Link to={addressOf.values} params={params} {...props} />}>
        {texts.common.back}
      </Button>
    </div>
  )
}
