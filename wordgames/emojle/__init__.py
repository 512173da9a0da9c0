"""What posted squares say of the answer: pattern sets, posted lines, shares and files of them."""
