/** Description of the systemd service in a package, from which {@link scriptsOf} makes the package's shell scripts. */
type PackagedService = {
  /** Name of the Debian or RPM package, which is also the name of its systemd service, such as `vedette`. */
  readonly name: string
  /** Name of the service's data folder below `/var/lib`, without a path. */
  readonly dataFolder: string
  /**
   * File (path) of the service's settings, and the name of a setting in it without which the service cannot run. If it is missing, an
   * installation does not start the service. Absent: nothing is needed.
   */
  readonly needs?: { readonly file: string; readonly setting: string }
  /** Name of a systemd timer in the package that an operator may have enabled; it is stopped at removal. Absent: the package has none. */
  readonly timer?: string
}

/**
 * Texts of a Debian or RPM package's shell scripts, without the first line (`#!`). In `afterInstall`, the shell variable `step` is
 * `install` or `upgrade`. The two removal scripts do not run on an upgrade.
 */
export type PackageScripts = {
  /**
   * Shell script that runs before the first installation. It fails, before any file is written, when the machine has the service by other
   * means, such as the install script.
   */
  readonly beforeInstall: string
  readonly afterInstall: string
  readonly beforeRemove: string
  readonly afterRemove: string
}

/**
 * Returns the shell scripts of a package with a systemd service. The first installation enables the service, and starts it where systemd
 * runs, unless a setting that it needs is missing. An upgrade restarts it only if it was running. Removing the package keeps the data
 * folder.
 */
export function scriptsOf({ name, dataFolder, needs, timer }: PackagedService): PackageScripts {
  const unit = `${name}.service`
  const units = timer === undefined ? unit : `${unit} ${timer}`
  const start = `systemctl enable --quiet ${unit}
    if [ -d /run/systemd/system ]; then systemctl start ${unit}; fi`
  const firstStart =
    needs === undefined
      ? start
      : `if grep -q '^${needs.setting}=.' ${needs.file}; then
      ${start.replaceAll('\n', '\n  ')}
    else
      echo "Set ${needs.setting} in ${needs.file}, then run: systemctl enable --now ${name}"
    fi`
  return {
    beforeInstall: `if [ -f /etc/systemd/system/${unit} ]; then
  echo "/etc/systemd/system/${unit} hides the service of this package. Run: systemctl disable --now ${name}; rm /etc/systemd/system/${unit} /usr/local/bin/${name}" >&2
  exit 1
fi
`,
    afterInstall: `if command -v systemctl >/dev/null; then
  if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
  if [ "$step" = install ]; then
    ${firstStart}
  elif [ -d /run/systemd/system ]; then
    systemctl try-restart ${unit}
  fi
fi
`,
    beforeRemove: `if [ -d /run/systemd/system ]; then systemctl disable --now --quiet ${units}
elif command -v systemctl >/dev/null; then systemctl disable --quiet ${units}
fi
`,
    afterRemove: `# An update leaves the version before beside the program.
rm -f /usr/bin/${name}.previous /usr/bin/${name}.new
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ -d /var/lib/private/${dataFolder} ]; then
  echo 'The data of ${name} is still in /var/lib/private/${dataFolder}. To delete it: rm -r /var/lib/private/${dataFolder} /var/lib/${dataFolder}'
fi
`,
  }
}
