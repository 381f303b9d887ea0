"""Start the app: ``python -m explorer``."""

import sys

from explorer.serving.command import main

sys.exit(main())
