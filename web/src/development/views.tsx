import { useState } from 'react'
import { Awaited } from '../ui/awaited.tsx'
import { Button, type ButtonLook } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ColumnList } from '../ui/column-list.tsx'
import { arrangeColumns, type ArrangedColumn } from '../ui/column-order.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { Meter } from '../ui/meter.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { PlatformIcon } from '../ui/platform-icon.tsx'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { SortableTable, type TableSort } from '../ui/sortable-table.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { StatusIcon, type StatusLook } from '../ui/status-icon.tsx'
import { Tag } from '../ui/tag.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { DevelopmentSection, State } from './part.tsx'

const looks: readonly ButtonLook[] = ['plain', 'primary', 'danger']
const statuses: readonly StatusLook[] = ['up', 'down', 'stale', 'paused', 'pending']
const systems = ['linux', 'macos', 'windows', 'freebsd', undefined] as const
const columns = [
  { id: 'name', title: () => 'Name' },
  { id: 'cpu', title: () => 'CPU', isNumber: true, className: 'w-28' },
  { id: 'hour', title: () => 'Last hour', isSortable: false, className: 'w-28' },
] as const
const numbers = Array.from({ length: 60 }, (_, index) => index + 1)

const query = { data: undefined, isError: false, error: undefined, refetch: () => undefined }

export function Views() {
  const [sort, setSort] = useState<TableSort>({ column: 'cpu', descending: true })
  const [arranged, setArranged] = useState<readonly ArrangedColumn[]>(() => arrangeColumns(['cpu', 'memory', 'disk'], 'memory,-disk'))
  return (
    <>
      <DevelopmentSection name="Button">
        {looks.map((look) => (
          <State key={look} name={look}>
            <div className="flex gap-2">
              <Button look={look}>Save</Button>
              <Button look={look} disabled>
                Saving
              </Button>
            </div>
          </State>
        ))}
        <State name="icon, with a tooltip">
          <Button look="icon" aria-label="Settings" data-tooltip="Opens the settings">
            <Icon name="sliders" />
          </Button>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="StatusIcon">
        {statuses.map((status) => (
          <State key={status} name={status}>
            <StatusIcon status={status} label={status} />
          </State>
        ))}
      </DevelopmentSection>
      <DevelopmentSection name="Tag">
        <State name="Gives access">
          <Tag text="env=prod" />
        </State>
        <State name="With a source">
          <Tag text="rack=4" note="agent" />
        </State>
        <State name="Low">
          <Tag text="env=prod" isSmall /> <Tag text="rack=4" note="agent" isSmall />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="PlatformIcon">
        {systems.map((os) => (
          <State key={os ?? ''} name={os ?? 'Unknown'}>
            <PlatformIcon os={os} />
          </State>
        ))}
      </DevelopmentSection>
      <DevelopmentSection name="Meter">
        {[12, 80, 95, 130].map((percent) => (
          <State key={percent} name={`${percent} %`}>
            <Meter percent={percent} label={`Disk ${percent}`} text={`${percent} %`} />
          </State>
        ))}
        <State name="Last known">
          <Meter percent={40} label="Disk, last known" text="40 %" faded />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="PageHeader">
        <State name="With actions" isWide>
          {/* A page has one header; this page shows several. */}
          <PageHeader title="All systems" description="Updated live">
            <Button>Export</Button>
            <Button look="primary">Add system</Button>
          </PageHeader>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="Card">
        <State name="With a line about it">
          <Card title="Sessions" description="Where you are signed in">
            Firefox on Linux
          </Card>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="EmptyState">
        <State name="With the next step" isWide>
          <EmptyState title="No systems yet" detail="Add the first one to see its metrics here.">
            <Button look="primary">Add the first system</Button>
          </EmptyState>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="Awaited">
        <State name="Loading">
          <Awaited query={query} placeholder="h-24">
            {() => null}
          </Awaited>
        </State>
        <State name="Failed">
          <Awaited query={{ ...query, isError: true, error: new Error('The hub cannot be reached.') }}>{() => null}</Awaited>
        </State>
        <State name="Empty">
          <Awaited
            query={{ ...query, data: [] }}
            isEmpty={({ length }) => length === 0}
            empty={<p className="text-muted">No active alerts</p>}
          >
            {() => null}
          </Awaited>
        </State>
        <State name="Full">
          <Awaited query={{ ...query, data: 'CPU above 80 %' }}>{(alert) => <p>{alert}</p>}</Awaited>
        </State>
        <State name="Full, and could not be refreshed">
          <Awaited query={{ ...query, isError: true, data: 'CPU above 90 %' }}>{(alert) => <p>{alert}</p>}</Awaited>
        </State>
        <State name="Failed, as a view of its own" isWide>
          <Awaited query={{ ...query, isError: true, error: new Error('The hub cannot be reached.') }} failure="Cannot load the systems">
            {() => null}
          </Awaited>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="Spinner">
        <State name="Loading">
          <Spinner label="Starting" />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="SortableTable">
        <State name="Sorted" isWide>
          <SortableTable
            caption="Systems"
            columns={columns}
            sort={sort}
            onSort={({ id }) => setSort({ column: id, descending: sort.column === id && !sort.descending })}
          >
            <tbody>
              {['mail', 'web'].map((name) => (
                <tr key={name} className="border-t border-border first:border-t-0 hover:bg-hover">
                  <th scope="row" className="h-9 px-3 text-left font-normal">
                    {name}
                  </th>
                  <td className="px-3 text-right text-muted">12 %</td>
                  <td className="px-3 text-muted">–</td>
                </tr>
              ))}
            </tbody>
          </SortableTable>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="ScrollBox">
        <State name="60 lines">
          <ScrollBox label="Lines" className="h-24 border border-border">
            <pre>{numbers.join('\n')}</pre>
          </ScrollBox>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="VirtualList">
        <State name="60 rows">
          <VirtualList as="ul" rows={numbers} rowPixels={28} className="card overflow-hidden">
            {(number) => (
              <li key={number} className="h-7 px-3">
                Row {number}
              </li>
            )}
          </VirtualList>
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="ColumnList">
        <State name="One hidden">
          <ColumnList columns={arranged} titleOf={(id) => id} onChange={setArranged} />
        </State>
      </DevelopmentSection>
    </>
  )
}
