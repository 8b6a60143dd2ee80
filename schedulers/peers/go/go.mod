module schedbench/peers/go

go 1.19
