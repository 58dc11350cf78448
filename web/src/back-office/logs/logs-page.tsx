import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listRecords } from '../../api/client.ts'
import { textOf } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { messageOf } from '../../api/request-failed.ts'
import { useLiveState } from '../../api/use-live-state.ts'
import { formatTime } from '../../format/time.ts'
import { useDialog } from '../../navigation/use-dialog.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { showToast } from '../../ui/toasts.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { FoundLogs } from './found-logs.tsx'
import { LogFilters } from './log-filters.tsx'
import { LogHistogram } from './log-histogram.tsx'
import type { Span } from './log-parts.ts'
import { LogSettings } from './log-settings.tsx'
import { LogSheet } from './log-sheet.tsx'
import { fetchHistogram, saveLogs, type LogsQuery } from './logs.ts'
import { useLogs } from './use-logs.ts'
import { useLogsView, type LogsView } from './use-logs-view.ts'

const COUNT_AGAIN_MS = 10_000

/**
 * React component: log page with histogram, filters and entries of the hub's requests and events, optionally live (if the time range has no
 * end).
 */
export function LogsPage() {
  usePageTitle(words.admin_logs())
  const view = useLogsView()
  const [isFollowing, setFollowing] = useState(false)
  const { dialog, open, close } = useDialog()
  const live = useLiveState()
  const people = usePeople()
  const found = useLogs(view.query, isFollowing)
  const { data: histogram, isError: isUncounted } = useQuery({
    queryKey: officeKeys.logHistogram(view.query),
    queryFn: ({ signal }) => fetchHistogram(view.query, signal),
    // After the list, because both queries scan the same rows.
    enabled: found.data !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: isFollowing ? COUNT_AGAIN_MS : false,
    retry: false,
  })
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={words.admin_logs()}>
        <Button aria-pressed={isFollowing} disabled={view.query.toMs !== undefined} onClick={() => setFollowing(!isFollowing)}>
          {isFollowing ? words.office_log_pause() : words.office_log_follow()}
        </Button>
        <output className="text-note text-muted">{isFollowing && live.kind === 'lost' && words.reconnecting()}</output>
        <SaveLogs query={view.query} />
        <Button onClick={() => open('settings')}>{words.office_log_settings()}</Button>
      </PageHeader>
      <LogFilters parts={view.parts} people={people} onChange={view.change} />
      <Spans view={view} />
      {!found.isError && !isUncounted && (
        <LogHistogram
          histogram={histogram}
          onBrush={({ fromMs, toMs }) => view.step({ from: Math.round(fromMs), to: Math.round(toMs), span: 'all' })}
        />
      )}
      <FoundLogs view={view} found={found} people={people} />
      {view.openId !== '' && (
        <LogSheet
          key={view.openId}
          id={view.openId}
          known={found.items.find(({ id }) => id === view.openId)}
          people={people}
          onClose={view.closeEntry}
          onNarrow={(part) => view.step({ ...part, logId: '' })}
        />
      )}
      {dialog === 'settings' && <LogSettings onClose={close} />}
    </div>
  )
}

function Spans({ view: { span, query, change } }: { view: LogsView }) {
  const formats = useFormats()
  const names: readonly (readonly [Span, string, string])[] = [
    ['1h', words.office_log_hour(), words.office_log_hour_long()],
    ['24h', words.office_log_day(), words.office_log_day_long()],
    ['7d', words.office_log_week(), words.office_log_week_long()],
    ['all', words.office_log_all(), words.office_log_all_long()],
  ]
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SegmentedControl
        label={words.office_log_span()}
        segments={names.map(([value, label, name]) => ({ value, label, name }))}
        value={span}
        onChange={(value) => change({ span: value, from: undefined, to: undefined })}
      />
      {span === undefined && (
        <span className="text-note text-muted tabular-nums">
          {[query.fromMs, query.toMs].map((atMs) => (atMs === undefined ? '' : formatTime(atMs, 'dayAndTime', formats))).join(' – ')}
        </span>
      )}
    </div>
  )
}

function SaveLogs({ query }: { query: LogsQuery }) {
  const save = useMutation({
    mutationFn: (format: 'csv' | 'ndjson') => saveLogs(query, format),
    onError: (error) => showToast({ title: words.office_not_saved(), description: messageOf(error), look: 'destructive' }),
  })
  return (['csv', 'ndjson'] as const).map((format) => (
    <Button key={format} disabled={save.isPending} onClick={() => save.mutate(format)}>
      {format.toUpperCase()}
    </Button>
  ))
}

/** React hook: returns a map from user id to email address for the log page. It is empty until loaded; the page shows ids meanwhile. */
function usePeople(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: officeKeys.people,
    queryFn: ({ signal }) => listRecords('users', { sort: 'email', fields: 'id,email' }, signal),
    staleTime: 60_000,
  })
  return new Map(data?.map(({ id, email }) => [textOf(id) ?? '', textOf(email) ?? '']) ?? [])
}
