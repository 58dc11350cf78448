import type { ReactElement } from 'react'
import { clearSession, type SignedInUser } from '../../api/client.ts'
import { paths } from '../../paths.ts'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import * as words from '../../words/messages.js'

const adminPages = [
  { href: paths.users, name: words.admin_users },
  { href: paths.systemRecords, name: words.admin_systems },
  { href: paths.logs, name: words.admin_logs },
  { href: paths.backups, name: words.admin_backups },
  { href: paths.authProviders, name: words.admin_auth_providers },
] as const

export function UserMenu({ trigger, user }: { trigger: ReactElement; user: SignedInUser }) {
  return (
    <Menu trigger={trigger}>
      <MenuLabel>{user.email}</MenuLabel>
      <MenuSeparator />
      {user.role === 'admin' && (
        <>
          {adminPages.map(({ href, name }) => (
            <MenuLink key={href} href={href} newTab>
              {name()}
            </MenuLink>
          ))}
          <MenuSeparator />
        </>
      )}
      <MenuLink href={paths.documents} newTab>
        {words.documentation()}
      </MenuLink>
      <MenuItem onSelect={clearSession}>{words.log_out()}</MenuItem>
    </Menu>
  )
}
