import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLocation } from 'wouter'
import type { SignedInUser } from '../../api/client.ts'
import { messageOf } from '../../api/request-failed.ts'
import { savedViewsQuery, type SavedView } from '../../api/saved-views.ts'
import { basePath } from '../../base-path.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import * as words from '../../words/messages.js'
import { viewAddress, viewSearch } from './fleet-address.ts'
import { managedViews } from './managed-views.ts'
import type { FleetView } from './use-fleet-view.ts'

type ViewsMenuProps = {
  trigger: ReactElement
  view: FleetView
  user: SignedInUser
  onDialog: (dialog: 'save-view' | 'views') => void
}

/**
 * React component: menu of the saved views of All Systems: the user's own and those shared by others. Its last entries call `onDialog` with
 * the dialog to open (save or manage views).
 */
export function ViewsMenu({ trigger, view, user, onDialog }: ViewsMenuProps) {
  const { data: views, isError, error } = useQuery(savedViewsQuery)
  const current = viewAddress(viewSearch(view))
  const own = views?.filter(({ isOwn }) => isOwn) ?? []
  const others = views?.filter(({ isOwn }) => !isOwn) ?? []
  return (
    <Menu trigger={trigger}>
      <MenuLabel>{words.views()}</MenuLabel>
      {views === undefined && (
        <p className="max-w-64 px-2.5 py-1.5 text-note text-muted wrap-anywhere">{isError ? messageOf(error) : words.loading()}</p>
      )}
      {views?.length === 0 && <p className="max-w-64 px-2.5 py-1.5 text-note text-muted">{words.views_none()}</p>}
      <ViewLinks views={own} current={current} />
      {others.length > 0 && <MenuLabel>{words.views_shared()}</MenuLabel>}
      <ViewLinks views={others} current={current} />
      <MenuSeparator />
      <MenuItem onSelect={() => onDialog('save-view')}>{words.view_save()}</MenuItem>
      {managedViews(views ?? [], user).length > 0 && <MenuItem onSelect={() => onDialog('views')}>{words.views_manage()}</MenuItem>}
    </Menu>
  )
}

function ViewLinks({ views, current }: { views: readonly SavedView[]; current: string }) {
  const [, navigate] = useLocation()
  return views.map(({ id, name, search }) => {
    const address = viewAddress(search)
    return (
      <MenuLink key={id} href={basePath + address} onOpen={() => navigate(address)}>
        <span className="max-w-64 truncate">{name}</span>
        {address === current && (
          <span className="ml-auto">
            <Icon name="check" />
            <span className="sr-only">{words.view_current()}</span>
          </span>
        )}
      </MenuLink>
    )
  })
}
