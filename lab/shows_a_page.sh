# Read by the scripts that try a station in another system: shows_a_page COMMAND...
# Starts the command, waits for the address it prints, and asks for that page; its process is $running afterwards.
shows_a_page() {
    "$@" >/run.txt 2>&1 &
    running=$!
    until address=$(grep '^Open: ' /run.txt); do
        kill -0 "$running" || { cat /run.txt; exit 1; }
        sleep 0.5
    done
    # By this machine's own address: a bare Debian knows nobody by the name that is printed.
    python3 -c 'import sys, urllib.request as web; web.urlopen("http://127.0.0.1:" + sys.argv[1].rpartition(":")[2])' "$address"
}
