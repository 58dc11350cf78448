import { Link } from 'wouter'
import type { SignedInUser } from '../../api/client.ts'
import { ReloadOffer } from '../../navigation/loaded-part.tsx'
import { paths } from '../../paths.ts'
import { useThemeChoice } from '../../preferences/use-theme.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { MenuOnDemand } from '../../ui/menu-on-demand.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import * as words from '../../words/messages.js'
import { LiveIndicator } from './live-indicator.tsx'
import { themeIcons } from './theme-icons.ts'

const UserMenu = onDemand(async () => (await import('./user-menu.tsx')).UserMenu)
const ThemeMenu = onDemand(async () => (await import('./theme-menu.tsx')).ThemeMenu)

type TopBarProps = {
  user: SignedInUser
  onSearch: () => void
  /**
   * Called when the user is likely to open the search soon, such as when the pointer is over the search button. The callback can then load
   * the search's code.
   */
  onBeforeSearch: () => void
  onAddSystem: () => void
}

export function TopBar({ user, onSearch, onBeforeSearch, onAddSystem }: TopBarProps) {
  const theme = useThemeChoice()
  return (
    <header className="sticky top-0 z-30 bg-canvas print:hidden">
      <div className="mx-auto flex h-13 max-w-(--page-width) items-center gap-2 px-6 max-sm:px-3">
        <Link
          href={paths.home}
          aria-label={words.product_home()}
          className="flex h-8 min-w-6 shrink-0 items-center gap-2 rounded-control text-[15px] font-semibold tracking-tight hover:text-accent"
        >
          <Icon name="mark" className="size-5 text-accent" />
          <span className="max-sm:hidden">Vedette</span>
        </Link>
        <SearchButton onPress={onSearch} onApproach={onBeforeSearch} />
        <div className="flex-1" />
        <LiveIndicator />
        <MenuOnDemand
          button={{
            look: 'icon',
            className: WIDE,
            'aria-label': words.theme(),
            children: <Entry icon={themeIcons[theme]} name={words.theme()} />,
          }}
          load={ThemeMenu.load}
          renderMenu={(trigger) => <ThemeMenu trigger={trigger} />}
          renderFailed={() => <ReloadOffer />}
        />
        <MenuOnDemand
          button={{
            look: 'icon',
            className: WIDE,
            'aria-label': words.account(),
            children: <Entry icon="person" name={words.account()} />,
          }}
          load={UserMenu.load}
          renderMenu={(trigger) => <UserMenu trigger={trigger} user={user} />}
          renderFailed={() => <ReloadOffer />}
        />
        <Link href={paths.settings} aria-label={words.settings()} data-tooltip={words.settings()} className={buttonLook('icon', WIDE)}>
          <Entry icon="sliders" name={words.settings()} />
        </Link>
        {user.role !== 'readonly' && (
          <Button look="primary" onClick={onAddSystem} aria-label={words.add_system()} className="ml-1 gap-1.5 max-sm:px-2">
            <Icon name="plus" />
            <span className="max-sm:hidden">{words.add_system()}</span>
          </Button>
        )}
      </div>
    </header>
  )
}

const WIDE = 'xl:w-auto xl:px-2'

/** React component: content of a button or link in the dashboard's top bar: an icon and, in wide windows, its name. */
const Entry = ({ icon, name }: { icon: IconName; name: string }) => (
  <>
    <Icon name={icon} className="size-4.5" />
    <span className="max-xl:hidden">{name}</span>
  </>
)

function SearchButton({ onPress, onApproach }: { onPress: () => void; onApproach: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      onPointerEnter={onApproach}
      aria-keyshortcuts="Control+K Meta+K"
      className="ml-2 flex h-8 w-64 min-w-9 items-center gap-2 rounded-control border border-border bg-surface px-2.5 whitespace-nowrap text-muted hover:border-border-strong max-md:w-9 max-md:justify-center max-md:px-0"
    >
      <Icon name="search" className="size-4 shrink-0" />
      <span className="truncate max-md:sr-only">{words.search_hint()}</span>
      <kbd aria-hidden="true" className="ml-auto rounded border border-border px-1.5 font-mono text-tiny max-md:hidden">
        {paletteKeys}
      </kbd>
    </button>
  )
}

const paletteKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'
